"""The errors of the library. Messages have what was expected, what was found, and where."""


class Error(Exception):
    """Base class of lgode's errors."""


class DataError(Error, ValueError):
    """A file or a table: absent, unreadable, or with content that cannot be used. Names file or row and column."""


class ExistsError(DataError):
    """A file or a run that exists and may not be replaced; ``force=True`` allows it."""


class ConfigError(Error, ValueError):
    """An option, or a combination of options, that cannot be used. Names the keyword in backquotes."""


class NoProgressError(Error, ArithmeticError):
    """Work that cannot continue: a solver that does not reach its tolerance."""


class DivergedError(NoProgressError):
    """A training whose loss or gradient is no longer finite."""


for _class in (Error, DataError, ExistsError, ConfigError, NoProgressError, DivergedError):
    _class.__module__ = "lgode"
