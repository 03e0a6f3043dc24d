"""The emblem of Gangsters."""

from __future__ import annotations

from typing import Final

EMBLEM: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" '
    'rx="16" fill="#e8dbb9"/><g stroke="#b7a376" stroke-width="13"><path d="M0 34h120M0 88h120'
    'M30 0v120M92 0v120"/></g><g stroke="#fbf5e4" stroke-width="9"><path d="M0 34h120M0 88h120'
    'M30 0v120M92 0v120"/></g><rect x="42" y="44" width="38" height="30" rx="4" fill="#e07a6c" '
    'stroke="#b3261e" stroke-width="3"/><circle cx="30" cy="88" r="14" fill="#b3261e" '
    'stroke="#fff" stroke-width="3"/><rect x="17" y="21" width="26" height="26" rx="4" '
    'fill="#1d7a46" stroke="#fff" stroke-width="3"/><path d="M92 20l15 5-1 12q-2 9-14 14-12-5-14-14'
    'l-1-12z" fill="#10264d" stroke="#fff" stroke-width="3"/><path d="M92 104C70 90 80 70 92 81'
    'c12-11 22 9 0 23z" fill="#e0a800" stroke="#fff" stroke-width="3"/><g fill="#2b2418">'
    '<path d="M48 62h20l3-6h7v6h-5l-4 8h-6l2-4h-17z"/></g></svg>'
)
