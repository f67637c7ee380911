"""Everything that makes the reader's weights: art, renderer, networks, training, export.

Nothing here is needed at a table. `fetch` installs freely licensed decks, fonts and textures from packages, `decks`
cuts the decks into single cards, `render` turns them into training pictures, `train` learns from those and `export`
writes the ONNX files that `vision.reader` runs. Only `nets`, `train`, `export` and `measure` need torch.
"""
