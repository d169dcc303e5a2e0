package tidepool.cli.shell;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tidepool.base.NameSuggestion;

/** The commands of the shell, their aliases, and the help for each. */
final class ShellCommands {
    /** A command: its usage, its summary, and more help on request. */
    record Command(String name, String usage, String summary, List<String> more) {}

    static final List<Command> COMMANDS = List.of(
            new Command("tables", "tables", "list the tables of the pool", List.of()),
            new Command(
                    "describe",
                    "describe TABLE",
                    "show the fields of a table",
                    List.of("Every table has a key in addition to its fields. The pool does not keep the name of a key"
                            + " that is one number.")),
            new Command(
                    "create",
                    "create TABLE (id long key, FIELD TYPE, ...) [rows N]",
                    "make a table with room for N records, or 1000",
                    List.of(
                            "Types: byte short int long float double boolean char text(N) bytes(N) varstring(N)"
                                    + " varbytes(N) instant",
                            "duration date uuid decimal(DIGITS) enum<A, B> list<TYPE>[N]; N is in bytes, 1 to 4096,"
                                    + " or in elements.",
                            "longstring(N) and longbytes(N) have up to 1048576 bytes, of which a record has those"
                                    + " that are used; longlist<TYPE>[N] too.",
                            "A '?' after the type, or null, lets a field be null: closed instant?",
                            "The key is one or more fields of the types byte short int long boolean char text(N)"
                                    + " bytes(N) uuid instant date enum<A, B>, at most 64 bytes in all.",
                            "A field that is not given is null if it may be, otherwise 0, false or empty.",
                            "A table is made at once, outside any transaction.",
                            "  create account (id long key, owner text(32), balance long) rows 100000",
                            "  create line (order text(12) key, number int key, amount long)")),
            new Command(
                    "rename",
                    "rename TABLE to NAME",
                    "give a table another name",
                    List.of("Programs that use the old name are refused from then on, and told the new one.")),
            new Command(
                    "alter",
                    "alter TABLE add|drop|widen FIELD ..., ...",
                    "add, drop and widen fields of a table, add and drop indexes",
                    List.of(
                            "add FIELD TYPE [DEFAULT]   the default of the records that there are; none if the field"
                                    + " may be null",
                            "drop FIELD [DEFAULT]       with a default, programs that have the field still read the"
                                    + " default",
                            "widen FIELD TYPE           a type that holds all values of the type that the field has",
                            "add index NAME (FIELD, ...)   an index, for scan; add unique NAME (FIELD, ...) refuses two"
                                    + " records with the same values",
                            "add order                  an index by the key, named primary; drop index NAME ends one",
                            "Records move to the new layout while programs use the table. Without any change, the rest"
                                    + " of an earlier one moves that was interrupted.",
                            "All sessions of the pool are interrupted for a moment, twice.",
                            "  alter account add level int 3, drop note, widen owner text(80)",
                            "  alter account add index by_owner (owner, balance), add order")),
            new Command(
                    "truncate",
                    "truncate TABLE yes",
                    "delete all records of a table at once",
                    List.of("All sessions of the pool are interrupted for a moment.", "  truncate account yes")),
            new Command(
                    "drop",
                    "drop TABLE yes",
                    "end a table with all its records",
                    List.of("All sessions of the pool are interrupted for a moment.", "  drop account yes")),
            new Command("count", "count TABLE", "count the records of a table", List.of("All of it is read.")),
            new Command(
                    "get",
                    "get TABLE KEY ...",
                    "look up records by their keys",
                    List.of(
                            "A key is what the table says: a number, 42 or 0x2a, text, or parts: ('A-1009', 3).",
                            "In a table whose key is one number, (3, 7) is EightByteKeys.pack(3, 7), and",
                            "(3:16, 7:8, 1:40) packs 3 into 16 bits, 7 into 8 and 1 into 40, as EightByteKeys.packer"
                                    + " does; first part uppermost.",
                            "scan shows a range of keys, or of an index, and rows shows all.",
                            "What is printed can be given to put as it is.",
                            "  get account 17 42")),
            new Command(
                    "rows",
                    "rows TABLE [limit N]",
                    "show records without knowing their keys, 100 or N",
                    List.of(
                            "They come as they lie in memory, in no order. Where the protocol has snapshots, all are of"
                                    + " one moment;",
                            "otherwise some hundred at a time are. What is printed can be given to put as it is.",
                            "export writes all records into a file: tidepool export URL TABLE.",
                            "  rows account limit 10")),
            new Command(
                    "scan",
                    "scan TABLE [by INDEX] [of|from|after KEY] [to|through KEY] [reversed] [limit N]",
                    "show a range of records in the order of an index, 100 or N",
                    List.of(
                            "Without by INDEX in the order of the keys, if alter TABLE add order has made that.",
                            "of KEY         all whose first columns have these values",
                            "from KEY       those from there on; after KEY leaves out those with these values",
                            "to KEY         those before; through KEY has those with these values as well",
                            "KEY has the first columns of the index, and then those of the key: 17, Ann, (Ann, 100).",
                            "Inside a transaction it sees what the transaction has written. If the transaction commits,"
                                    + " no other one has changed what lies in the range.",
                            "  scan account from 17 to 42",
                            "  scan account by by_owner of Ann reversed limit 1")),
            new Command(
                    "put",
                    "put TABLE KEY FIELD=VALUE ...",
                    "insert a record, or change fields of the one that is there",
                    List.of(
                            "Fields that are not given keep their values; in a new record they are as create says.",
                            "Text stands in quotes where it has blanks or ( ) , = ; ' \" in it: owner='Ann Lee'",
                            "Bytes are hexadecimal: digest=0x00ff. Numbers may be, too.",
                            "Lists stand in brackets, records in braces: tags=['a', 'b'] lines=[{sku='a', count=2}]",
                            "  put account 17 owner=Ann balance=100")),
            new Command(
                    "insert",
                    "insert TABLE KEY FIELD=VALUE ...",
                    "insert a record; refused if the key exists",
                    List.of("Otherwise like put.")),
            new Command(
                    "update",
                    "update TABLE KEY FIELD=VALUE ...",
                    "change fields of a record; refused if there is none",
                    List.of("Otherwise like put.")),
            new Command("delete", "delete TABLE KEY", "delete a record", List.of("  delete account 17")),
            new Command(
                    "begin",
                    "begin [readonly]",
                    "begin a transaction of several statements",
                    List.of(
                            "Without it every statement is a transaction and is tried again when it meets others.",
                            "Inside, what is written is locked until the end. If others stand in the way, the"
                                    + " transaction is",
                            "aborted and nothing of it is applied. One that is left alone is rolled back after"
                                    + " a while (--idle).",
                            "With readonly it takes no locks, and all that it reads was there at one moment.")),
            new Command("commit", "commit", "apply the transaction, all of it", List.of()),
            new Command("rollback", "rollback", "end the transaction and apply nothing of it", List.of()),
            new Command("status", "status", "show session, transaction, statistics, round trips", List.of()),
            new Command(
                    "timing",
                    "timing on|off",
                    "show time and round trips of every statement",
                    List.of("Round trips are those of transactions, as the fabric counts them; looking at the"
                            + " list of tables is none.")),
            new Command("help", "help [COMMAND]", "show this, or more about one command", List.of()),
            new Command("quit", "quit", "leave; an open transaction is rolled back", List.of()));

    static final List<String> NAMES = COMMANDS.stream().map(Command::name).toList();

    private static final Map<String, String> ALIASES = new TreeMap<>(Map.ofEntries(
            Map.entry("?", "help"),
            Map.entry("\\?", "help"),
            Map.entry("exit", "quit"),
            Map.entry("\\q", "quit"),
            Map.entry("bye", "quit"),
            Map.entry("desc", "describe"),
            Map.entry("\\d", "tables"),
            Map.entry("abort", "rollback"),
            Map.entry("set", "put"),
            Map.entry("upsert", "put"),
            Map.entry("remove", "delete"),
            Map.entry("rm", "delete"),
            Map.entry("read", "get")));

    private static final String HOW_TO_FIND =
            "records are found by their keys (get TABLE KEY), in ranges of an index (scan TABLE), or all one after the"
                    + " other (rows TABLE)";

    private static final Map<String, String> NOT_HERE = Map.of(
            "select",
            "there is no SQL here; " + HOW_TO_FIND,
            "find",
            HOW_TO_FIND,
            "list",
            HOW_TO_FIND,
            "show",
            "type tables, describe TABLE or status");

    private ShellCommands() {}

    /** Returns the command for a word. Throws a {@link StatementException} if there is none. */
    static String command(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        String name = ALIASES.getOrDefault(lower, lower);
        if (NAMES.contains(name)) return name;
        if (NOT_HERE.containsKey(lower)) throw new StatementException(NOT_HERE.get(lower));
        String likely = NameSuggestion.to(lower, NAMES);
        throw new StatementException("unknown command '" + word + "'"
                + (likely == null ? "; type help" : "; did you mean '" + likely + "'?"));
    }

    static String usage(String name) {
        return find(name).usage();
    }

    /** Returns the help: all commands in short, or one in full. */
    static String help(String topic) {
        StringBuilder text = new StringBuilder();
        if (topic == null) {
            int width = COMMANDS.stream()
                    .mapToInt(each -> each.usage().length())
                    .max()
                    .orElse(0);
            for (Command each : COMMANDS)
                text.append(("%-" + width + "s  %s%n").formatted(each.usage(), each.summary()));
            text.append("Several statements may stand in a line, with ; between them. # begins a comment.");
            return text.toString();
        }
        Command command = find(command(topic));
        text.append(command.usage()).append(System.lineSeparator()).append(command.summary());
        for (String line : command.more()) text.append(System.lineSeparator()).append(line);
        return text.toString();
    }

    private static Command find(String name) {
        return COMMANDS.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
