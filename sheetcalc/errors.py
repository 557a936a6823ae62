"""What can go wrong, in words a person can act on."""


class SheetcalcError(Exception):
    """Base of every error that sheetcalc raises on purpose; its text says what is wrong and what to write instead."""


class FormulaError(SheetcalcError, TypeError):
    """A quantity is written in a way that cannot be traced."""


class ModelError(SheetcalcError, ValueError):
    """Quantities, inputs and grids that do not go together."""


class UnitError(SheetcalcError, ValueError):
    """Units that do not go together, or a unit that is not known."""


class InputError(SheetcalcError, ValueError):
    """A value that a person gave and that cannot be used; `where` names the place (file, row, column, cell)."""

    def __init__(self, says: str, where: str = ""):
        super().__init__(f"{where}: {says}" if where else says)
        self.says, self.where = says, where
