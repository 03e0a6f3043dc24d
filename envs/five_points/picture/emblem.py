"""The emblem of Five Points."""

from __future__ import annotations

from typing import Final

EMBLEM: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" '
    'rx="16" fill="#1d1712"/><g stroke="#120d09" stroke-width="3"><path d="M60 60L12 12H60z" '
    'fill="#4a6f9e"/><path d="M60 60V12h48z" fill="#5b8a55"/><path d="M60 60l48-48v62z" '
    'fill="#d08a3c"/><path d="M60 60l48 14-34 34z" fill="#a84b42"/><path d="M60 60l14 48H12V74z" '
    'fill="#5b8a55"/><path d="M60 60L12 74V12z" fill="#a84b42"/></g>'
    '<g fill="#f6f1e6" stroke="#2a211b" stroke-width="2.5" stroke-linejoin="round">'
    '<path d="M42 92q-2-26 10-30a12 12 0 1 1 16 0q12 4 10 30z"/>'
    '<path d="M40 44h40v-5h-7V18H47v21h-7z" fill="#2a211b"/></g>'
    '<path d="M47 32h26v6H47z" fill="#ffd35a"/></svg>'
)
