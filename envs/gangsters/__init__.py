"""Two to four gangs fight over Prohibition Chicago; with four, the Police Player joins in.

``max_rounds`` truncates, and nobody is paid. Version history: v0, the rules of ``RULES.md``. The
map and several tables are reconstructions, and the data files say which.
"""

VERSION = 0
"""Version of the environments, as in ``gangsters_v0``."""
