"""The libraries that come with the package.

Each one is a package whose module `library` defines `LIBRARY`.
"""
