"""The flat action space and its notation (G-21, G-22.1)."""

from __future__ import annotations

from typing import Final

GO: Final = 0
END: Final = 152
YES: Final = 153
STRENGTH: Final = 154
MOVE_PIECE: Final = 163
RECRUIT: Final = 166
STAY: Final = 169
PUBLIC: Final = 171
NEW_PUBLIC: Final = 175
BUY_BUILDING: Final = 176
IMPROVE: Final = 177
EQUIPMENT: Final = 178
TRADE: Final = 186
CASH_ZERO: Final = 190
PAY: Final = 191
GET: Final = 207
BRIBE: Final = 223
PLAY: Final = 224
COP: Final = 233
NEW_COP: Final = 243
VIA: Final = 244
COMMISSIONER: Final = 245
RECRUIT_C: Final = 246
HIRE: Final = 247
CHIT: Final = 248
FLIP_JOINT: Final = 251
FLIP_PIECE: Final = 255
HIT: Final = 267
EXTORT: Final = 268
SEDUCE: Final = 269
TARGET_SIDE: Final = 277
LOSE: Final = 281
RAID: Final = 287
ARREST: Final = 288
OWN_DIE: Final = 289
ALL_DICE: Final = 290
