"""What happened, to look at again: the last minutes as video, and any ruling's two seconds with its slaps."""
