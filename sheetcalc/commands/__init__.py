"""What each command of the command line does; each module is imported when its command is called."""
