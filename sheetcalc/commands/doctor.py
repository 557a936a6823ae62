"""`sheetcalc doctor`: what works here, what is missing, and the command that mends it."""


def command(args) -> int:
    from sheetcalc.doctor import examine

    rows = examine()
    for row in rows:
        print(f"{'ok     ' if row.ok else 'missing'}  {row.name}: {row.says}")
        if not row.ok:
            print(f"         {row.mend}")
    return 0 if all(row.ok for row in rows) else 1
