"""Crime Lords: two to eight Mobs fight for the Rackets of one city."""
