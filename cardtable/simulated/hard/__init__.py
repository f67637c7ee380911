"""What makes a table hard to read: bumps, lamps, meddling hands, cards that lie as they should not.

`Hardships` lets them happen, several a party, each noted under its name. Whoever referees learns of none of them.
"""

from cardtable.simulated.hard.hardships import Hardships

__all__ = ["Hardships"]
