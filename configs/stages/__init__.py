"""What is trained before one of the others, where a bot is trained in stages."""
