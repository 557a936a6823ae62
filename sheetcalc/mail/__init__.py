"""Memos by e-mail: drafts that a mail program opens, or sending through SMTP when told to."""
