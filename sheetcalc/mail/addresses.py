"""Addresses that people typed: one or several in a cell, each checked, none silently dropped."""

import re
from email.headerregistry import Address

from sheetcalc.errors import InputError
from sheetcalc.numbers import quoted

# The dot-atom of RFC 5322 section 3.2.3 and host names of RFC 1123; quoted local parts and address literals are refused on purpose.
LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}"
LONGEST = 254  # characters of an address, RFC 5321 section 4.5.3.1 less the angle brackets


def read_addresses(text, where=""):
    """The addresses of a cell, separated by commas, semicolons or blanks. Raises InputError in words on the first that is none."""
    found = []
    for word in re.split(r"[,;\s]+", text.strip()):
        if not word:
            continue
        if len(word) > LONGEST or not re.fullmatch(f"{LOCAL}@{HOST}", word):
            raise InputError(f"{quoted(word)} is not an e-mail address; write name@company.com, several separated by commas", where)
        if word.lower() not in {address.lower() for address in found}:
            found.append(word)
    return tuple(found)


def header(addresses):
    """Addresses for a message header."""
    return tuple(Address(addr_spec=address) for address in addresses)
