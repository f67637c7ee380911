"""The program that plugs reader, buttons, rules and pages together."""
