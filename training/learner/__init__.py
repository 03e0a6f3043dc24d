"""Learning: the network in torch, PPO and its loss, imitation."""
