"""The libraries that come with the package: each is a package with a module `library` that holds LIBRARY."""
