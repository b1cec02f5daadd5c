"""What is append-only is not emptied either, at one stroke and past the triggers of its rows."""

from django.db import migrations

TABLES = ("games_entry", "games_ruling", "games_step")
GUARD = """
CREATE FUNCTION games_kept_for_good() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
""" + "".join(
    f"CREATE TRIGGER {table}_not_emptied BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION games_kept_for_good();\n"
    for table in TABLES
)
OPEN = "".join(f"DROP TRIGGER {table}_not_emptied ON {table};\n" for table in TABLES) + "DROP FUNCTION games_kept_for_good();\n"


class Migration(migrations.Migration):
    dependencies = [("games", "0009_disputes")]
    operations = [migrations.RunSQL(GUARD, OPEN)]
