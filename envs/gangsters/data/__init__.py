"""Board and numbers of Gangsters: the JSON files, their checks, and the tables made from them."""
