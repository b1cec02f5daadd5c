"""What a table is asked for: a new one, and the ones to show in the lobby."""

from games.forms.lobby import LobbyForm
from games.forms.pace import PACES
from games.forms.table import USUAL_TABLE, TableForm, table_like

__all__ = ["PACES", "USUAL_TABLE", "LobbyForm", "TableForm", "table_like"]
