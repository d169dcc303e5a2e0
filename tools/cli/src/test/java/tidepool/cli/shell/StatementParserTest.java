package tidepool.cli.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import tidepool.cli.shell.Statement.Assignment;
import tidepool.schema.EightByteKeys;
import tidepool.schema.KeySchema;
import tidepool.schema.Schema;

/** Typed statements, and how they are parsed. */
class StatementParserTest {
    @Test
    void everyCommandOfTheHelpIsUnderstood() {
        assertEquals(new Statement.Tables(), parse("tables"));
        assertEquals(new Statement.Describe("account"), parse("describe account"));
        assertEquals(new Statement.Begin(false), parse("begin"));
        assertEquals(new Statement.Begin(true), parse("begin readonly"));
        assertEquals(new Statement.Commit(), parse("commit"));
        assertEquals(new Statement.Rollback(), parse("rollback"));
        assertEquals(new Statement.Status(), parse("status"));
        assertEquals(new Statement.Timing(true), parse("timing on"));
        assertEquals(new Statement.Timing(null), parse("timing"));
        assertEquals(new Statement.Help(null), parse("help"));
        assertEquals(new Statement.Help("get"), parse("help get"));
        assertEquals(new Statement.Quit(), parse("quit"));
        assertEquals(List.of(7L), keys("get t 7"));
        assertInstanceOf(Statement.Delete.class, parse("delete t 7"));
        for (Statement.Kind kind : Statement.Kind.values())
            assertEquals(
                    kind,
                    write(kind.name().toLowerCase(java.util.Locale.ROOT) + " t 7 a=1")
                            .kind());
        for (String name : ShellCommands.NAMES)
            assertTrue(ShellCommands.help(name).startsWith(ShellCommands.usage(name)), name);
    }

    /** Fingers that know other shells. */
    @Test
    void habitsAreUnderstood() {
        assertEquals(new Statement.Quit(), parse("EXIT"));
        assertEquals(new Statement.Describe("t"), parse("desc t"));
        assertEquals(new Statement.Begin(true), parse("BEGIN TRANSACTION READ ONLY"));
        assertEquals(new Statement.Help(null), parse("?"));
        assertEquals(
                List.of("a", "b"),
                write("put t 1 a = 1, b = 2").assignments().stream()
                        .map(Assignment::field)
                        .toList());
    }

    @Test
    void keysAreNumbersOrHaveParts() {
        assertEquals(List.of(42L, -1L, 42L, -1L, 1_000_000L), keys("get t 42 -1 0x2a 0xffffffffffffffff 1_000_000"));
        assertEquals(List.of(EightByteKeys.pack(3, 7), 5L), keys("get t (3, 7) 5"));
        assertEquals(List.of(EightByteKeys.pack(-3, -7)), keys("get t (-3,-7)"));
        long packed =
                EightByteKeys.packer().bits("w", 16).bits("d", 8).bits("o", 40).pack(3, 7, 1);
        assertEquals(List.of(packed), keys("get t (3:16, 7:8, 1:40)"));

        assertRefused(
                "a key is a number of 64 bits, such as 42 or 0x2a, or has parts, such as (3, 7); not 'x'", "get t x");
        assertRefused(
                "a key is a number of 64 bits, such as 42 or 0x2a, or has parts, such as (3, 7);"
                        + " not '9223372036854775808'",
                "get t 9223372036854775808");
        assertRefused(
                "a key of 3 parts says how many bits each takes, (3:16, 7:8, 1:40), not (1, 2, 3)", "get t (1,2,3)");
        assertRefused(
                "all parts of a key have their bits, or none: (3:16, 7:8, 1:40), not (1:16, 2)", "get t (1:16, 2)");
        assertRefused("part 'number 2' of a key takes 0 to 255, not 256", "get t (1:16, 256:8)");
        assertRefused(
                "part 'number 1' of a key takes 40 bits above 40 others; a key has 64 bits", "get t (1:40, 2:40)");
        assertRefused("a part of a pair has 32 bits, and 2147483648 does not fit", "get t (2147483648, 1)");
        assertRefused("a key is expected before the fields, and 'a=' is a field", "put t a=1");
    }

    @Test
    void textIsQuoted() {
        List<Assignment> given = write(
                        "put t 1 a=Ann b='Ann Lee' c=\"it's; (=), #\" d='\\'\\n\\u00e9\\\\' e='null' f=null")
                .assignments();
        assertEquals(
                List.of("Ann", "Ann Lee", "it's; (=), #", "'\n\u00e9\\", "null", "null"),
                given.stream().map(each -> each.value().text()).toList());
        assertEquals(
                List.of(false, true, true, true, true, false),
                given.stream().map(each -> each.value().isQuoted()).toList());

        assertRefused("the quote is not closed: 'Ann", "put t 1 a='Ann");
        assertRefused("unknown escape \\x; known: \\n \\t \\r \\0 \\\\ \\' \\\" \\u00e9", "put t 1 a='\\x'");
        assertRefused("\\u takes four hexadecimal digits, not '12'", "put t 1 a='\\u12");
    }

    @Test
    void statementsAreSeparatedAndCommentsAreNone() {
        assertEquals(
                3,
                Lexer.statements("begin; put t 1 a=';' ;; commit; # rollback").size());
        assertEquals(0, Lexer.statements("  -- nothing").size());
        assertEquals(1, Lexer.statements("get t --1").size());
        assertEquals(0, Lexer.statements(" ;; ").size());
    }

    @Test
    void createTakesAllTypes() {
        Statement.Create create = (Statement.Create) parse("create t (id long key, a byte, b short, c int, d bigint, "
                + "e float, f double, g bool, h char, i text(32), j bytes(4)) rows 5000");

        assertEquals(
                "t(a:byte, b:short, c:int, d:long, e:float, f:double, g:boolean, h:char, i:string[32], j:bytes[4])",
                create.schema().toString());
        assertEquals("id", create.keyName());
        assertEquals(5000, create.rows());
    }

    @Test
    void createTakesNullsAndListsAndNestedFields() {
        Statement.Create create =
                (Statement.Create) parse("create t (id long key, a int null, b int not null, c text(8)?,"
                        + " d.at timestamp?, e enum<NEW, PAID>?, f list<record<sku:string[4], count:int?>?>[3],"
                        + " g decimal(9), h varchar(3) null,"
                        + " i date, j uuid, k duration, l varstring(5), m varbytes(6)?)");

        assertEquals(
                "t(a:int?, b:int, c:string[8]?, d.at:instant?, e:enum<NEW, PAID>?,"
                        + " f:list<record<sku:string[4], count:int?>?>[3], g:decimal[9], h:string[3]?, i:date, j:uuid,"
                        + " k:duration, l:varstring[5], m:varbytes[6]?)",
                create.schema().toString());
    }

    /** The notation of the documents can be typed as well; a key need not be named. */
    @Test
    void createTakesTheTextFormOfASchema() {
        Statement.Create create = (Statement.Create) parse("create account(owner:string[16], balance: long)");

        assertEquals("account(owner:string[16], balance:long)", create.schema().toString());
        assertEquals(null, create.keyName());
        assertEquals(1000, create.rows());
    }

    /** The default of a field that is added may be any word, and is text in quotes. */
    @Test
    void alterTakesTypesAsCreateDoes() {
        Statement.Alter alter =
                (Statement.Alter) parse("alter t add level int 3, ADD note text(8) 'a, b', drop gone '',"
                        + " drop old, widen owner string[80]?, add tags list<string[4]>[3] '',"
                        + " add d date not null 2026-01-31");
        Schema stored = Schema.parse("t(owner:string[8], gone:string[3], old:long)");
        assertEquals(
                "t(owner:string[80]?, level:int='3', note:string[8]='a, b', tags:list<string[4]>[3]='',"
                        + " d:date='2026-01-31'; gone:string[3]='')",
                alter.change().apply(stored).toString());
        assertEquals(stored, ((Statement.Alter) parse("alter t")).change().apply(stored));
    }

    /** Words of indexes may be names of fields. */
    @Test
    void alterTakesIndexes() {
        Statement.Alter alter = (Statement.Alter) parse("alter t add index by_owner (owner, balance), add unique code"
                + " (code), ADD ORDER, drop index old, add index int 3, add unique text(8) '', add order long 5");
        Schema stored = Schema.parse("t(owner:string[8], balance:long, code:int) index old#1(code)");
        assertEquals(
                "t(owner:string[8], balance:long, code:int, index:int='3', unique:string[8]='', order:long='5')"
                        + " dropping index old#1(code) building index by_owner#2(owner, balance)"
                        + " building unique code#3(code) building index primary#4()",
                alter.change().apply(stored).toString());
        Schema fields = Schema.parse("t(index:string[8], b:int)");
        assertEquals(
                "t(b:int; index:string[8]='old')",
                ((Statement.Alter) parse("alter t drop index 'old'"))
                        .change()
                        .apply(fields)
                        .toString());
        assertEquals(
                "t(b:int)",
                ((Statement.Alter) parse("alter t drop index"))
                        .change()
                        .apply(fields)
                        .toString());
    }

    @Test
    void scanTakesBoundsOrderAndLimit() {
        assertEquals(new Statement.Scan("t", null, null, false, null, false, false, 100), parse("scan t"));
        Statement.Scan scan =
                (Statement.Scan) parse("scan t BY by_owner AFTER (Ann, 3) through 'Bob' REVERSED limit 7");
        assertEquals(
                List.of("by_owner", "(Ann, 3)", "'Bob'", 7L),
                List.of(scan.index(), scan.from().text(), scan.to().text(), scan.limit()));
        assertEquals(
                List.of(true, true, true), List.of(scan.isFromExclusive(), scan.isToInclusive(), scan.isReversed()));
        Statement.Scan prefix = (Statement.Scan) parse("scan t of 3");
        assertEquals(prefix.from(), prefix.to());
        assertEquals(List.of(false, true), List.of(prefix.isFromExclusive(), prefix.isToInclusive()));
    }

    @Test
    void whatIsWrongIsSaid() {
        assertRefused("unknown command 'gte'; did you mean 'get'?", "gte t 1");
        assertRefused("unknown command 'xyzzy'; type help", "xyzzy");
        assertRefused("a command is expected, not '('; type help", "(");
        assertRefused("the name of a table is expected; write: describe TABLE", "describe");
        assertRefused("a key is expected; write: get TABLE KEY ...", "get t");
        assertRefused("'=' behind 'a' is expected; write: put TABLE KEY FIELD=VALUE ...", "put t 1 a");
        assertRefused("a value behind 'a=' is expected; write: put TABLE KEY FIELD=VALUE ...", "put t 1 a=");
        assertRefused("field 'a' is given twice", "put t 1 a=1 a=2");
        assertRefused("FIELD=VALUE is expected; write: update TABLE KEY FIELD=VALUE ...", "update t 1");
        assertRefused("nothing is expected from 'now' on; write: commit", "commit now");
        assertRefused("begin takes readonly or nothing, not 'again'", "begin again");
        assertRefused("timing takes on or off, not 'maybe'", "timing maybe");
        assertRefused(
                "this drops the table with all its records, and nothing brings them back; to do it, type drop t yes",
                "drop t");
        assertRefused("rename takes to NAME, not 'u'", "rename t u");
        assertRefused("alter takes add, drop or widen, not 'rename'", "alter t rename a");
        assertRefused(
                "add, drop or widen is expected; write: alter TABLE add|drop|widen FIELD ..., ...", "alter t drop a,");
        assertRefused(
                "nothing is expected from 'b' on; write: alter TABLE add|drop|widen FIELD ..., ...",
                "alter t widen a long b");
        assertTrue(refusal("alter t add a int").startsWith("attribute 'a' needs a default, because int is never null"));
        assertTrue(refusal("alter t add a number 3").startsWith("unknown type 'number' of 'a'"));
        assertRefused(
                "scan takes by, of, from, after, to, through, reversed and limit, not 'where'; write: scan TABLE"
                        + " [by INDEX] [of|from|after KEY] [to|through KEY] [reversed] [limit N]",
                "scan t where");
        assertRefused("'from' says again what was said before", "scan t of 3 from 4");
        assertTrue(refusal("scan t from").startsWith("a key is expected"));
        assertTrue(refusal("alter t add index x (a").startsWith("')' behind the columns of 'x' is expected"));
        assertTrue(refusal("select * from t").startsWith("there is no SQL here"));
    }

    @Test
    void whatIsWrongWithATableIsSaid() {
        assertRefused(
                "unknown type 'number' of 'a'; known: byte short int long float double boolean char text(N) bytes(N)"
                        + " varstring(N) varbytes(N) instant duration date uuid decimal(N) enum<A, B> list<TYPE>[N],"
                        + " each with '?' if it may be null",
                "create t (a number)");
        assertRefused("table 't' has no attributes besides its key", "create t (id long key)");
        assertRefused(
                "part 'id' of the key of table 't' is double; a key holds byte, short, int, long, boolean, char, enums,"
                        + " Instant, LocalDate, UUID, and String and byte[] with @Length",
                "create t (id double key, a int)");
        assertRefused(
                "a key of table 't' would take 68 bytes; at most 64 are possible",
                "create t (a text(60) key, b long key, c int)");
        assertRefused("string takes a length from 1 to 4096 bytes, not 5000", "create t (a text(5000))");
        assertRefused("attribute 'a' of table 't' is declared twice", "create t (a int, a int)");
        assertRefused("null is expected behind 'not'", "create t (a int not void)");
        assertTrue(refusal("create t (a enum<A").startsWith("'>' at the end of 'enum<A' is expected"));
        assertRefused("an enum has a constant twice: [A, A]", "create t (a enum<A, A>)");
        assertTrue(refusal("create 9t (a int)").startsWith("not a name of a table: '9t'"));
        assertTrue(refusal("create t (a text)").startsWith("'(' and a length in bytes behind 'text' is expected"));
        assertTrue(refusal("create t (a int").startsWith("')' or ',' behind a field is expected"));
    }

    /** Keys of several parts are typed in parentheses, each part as its type says. */
    @Test
    void keysOfPartsFollowTheTable() {
        Schema schema =
                ((Statement.Create) parse("create line (order text(12) key, number int key, amount long)")).schema();
        assertEquals("line[order:string[12], number:int](amount:long)", schema.toString());
        Statement.TypedKey typed =
                ((Statement.Get) parse("get line ('A (1)', -3)")).keys().getFirst();
        assertEquals(schema.key().keyOf("A (1)", -3), KeyText.of(schema.key(), typed));
        assertEquals("('A (1)', -3)", typed.text());
        KeySchema bytes =
                Schema.parse("t[a:bytes[4], b:boolean, c:char](v:long)").key();
        assertEquals(
                bytes.keyOf(new byte[] {0, -1}, true, 'x'),
                KeyText.of(
                        bytes,
                        ((Statement.Get) parse("get t (0x00ff, true, x)"))
                                .keys()
                                .getFirst()));
        for (String wrong :
                List.of("get t 1", "get t (0xf, true, x)", "get t (0x00, yes, x)", "get t (0x00, true, xy)"))
            assertThrows(
                    StatementException.class,
                    () -> KeyText.of(
                            bytes, ((Statement.Get) parse(wrong)).keys().getFirst()),
                    wrong);
    }

    private static Statement parse(String line) {
        List<List<LexToken>> statements = Lexer.statements(line);
        assertEquals(1, statements.size());
        return StatementParser.parse(statements.getFirst());
    }

    private static Statement.Write write(String line) {
        return (Statement.Write) parse(line);
    }

    private static List<Long> keys(String line) {
        return ((Statement.Get) parse(line))
                .keys().stream()
                        .map(each -> KeyText.of(KeySchema.LONG, each).word())
                        .toList();
    }

    private static String refusal(String line) {
        return assertThrows(
                        StatementException.class,
                        () -> {
                            Statement parsed = parse(line);
                            if (parsed instanceof Statement.Get get)
                                get.keys().forEach(key -> KeyText.of(KeySchema.LONG, key));
                        },
                        line)
                .getMessage();
    }

    private static void assertRefused(String sentence, String line) {
        assertEquals(sentence, refusal(line));
    }
}
