"""A profile for `tests/mutations.py`: what a wrong lowering breaks need not be made small."""

from hypothesis import Phase, settings

settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False)
