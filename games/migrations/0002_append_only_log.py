"""The log is append-only, and the database sees to it."""

from django.db import migrations

GUARD = """
CREATE FUNCTION games_entry_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of a table is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER games_entry_append_only BEFORE UPDATE OR DELETE ON games_entry
    FOR EACH ROW EXECUTE FUNCTION games_entry_is_append_only();
"""
OPEN = """
DROP TRIGGER games_entry_append_only ON games_entry;
DROP FUNCTION games_entry_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]
    operations = [migrations.RunSQL(GUARD, OPEN)]
