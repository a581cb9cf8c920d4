"""What an operator does and looks at: the command line, the acts, how a process obeys, who asked it what."""
