"""The tests, as a package: helpers are imported by their full names."""
