"""The commands, one module each. They import what they need when they run, so that `cardtable --help` is quick."""
