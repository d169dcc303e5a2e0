package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static tidepool.schema.Refusals.refused;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecordShapeTest {
    record Account(@Key long id, long balance, @Length(16) String owner) {}

    @Test
    void recordBecomesASchema() {
        assertEquals(
                "account(balance:long, owner:string[16])",
                Schema.of(Account.class).toString());
        assertEquals(
                "checking(balance:long, owner:string[16])",
                Schema.of("checking", Account.class).toString());
    }

    /** The key is no attribute, wherever it stands, and the other components are numbered without a gap. */
    @Test
    void keyMayStandAnywhere() {
        record Sale(
                int amount,
                @Key int id,
                char mark,
                @Length(4) byte[] code) {}

        assertEquals(
                "sale(amount:int, mark:char, code:bytes[4])",
                Schema.of(Sale.class).toString());
    }

    @Test
    void classesThatAreNoTablesAreRefused() {
        record NoKey(long id, long balance) {}
        record TextKey(@Key String id, int x) {}
        record DoubleKey(@Key double id, int x) {}
        record LongKeys(@Key @Length(60) String id, @Key long other, int x) {}
        record LengthOnKey(@Key @Length(8) long id, int x) {}
        record OnlyKey(@Key long id) {}

        refused(() -> Schema.of((Class<? extends Record>) null), "null");
        refused(() -> Schema.of(Record.class), "java.lang.Record is not a record class");
        refused(() -> Schema.of(NoKey.class), "NoKey", "@Key", "long");
        refused(() -> Schema.of(TextKey.class), "TextKey", "'id'", "@Length", "String");
        refused(() -> Schema.of(DoubleKey.class), "'id'", "double", "a key holds");
        refused(() -> Schema.of(LongKeys.class), "'longKeys'", "68 bytes", "64");
        refused(() -> Schema.of(LengthOnKey.class), "'id'", "@Length");
        refused(() -> Schema.of(OnlyKey.class), "'onlyKey'", "no attributes");
        refused(() -> Schema.of(null, Account.class), "name of a table");
    }

    /** Parts of a key keep the order of the components, whatever stands between them. */
    @Test
    void severalComponentsAreOneKey() {
        record Line(
                @Key @Length(12) String order,
                long amount,
                @Key int number,
                @Key boolean gift) {}
        record Flag(@Key short id, long x) {}

        assertEquals(
                "line[order:string[12], number:int, gift:boolean](amount:long)",
                Schema.of(Line.class).toString());
        assertEquals("flag[id:short](x:long)", Schema.of(Flag.class).toString());
    }

    @Test
    void componentsWithoutAPlaceInAValueAreRefused() {
        record Nested(@Key long id, Account inner) {}
        record Boxed(@Key long id, Long balance) {}
        record Many(@Key long id, List<String> names) {}
        record Longs(@Key long id, @Length(8) long[] balances) {}
        record Generic<T>(@Key long id, T thing) {}

        refused(() -> Schema.of(Nested.class), "'inner'", "Nested", "Account", "a value holds");
        refused(() -> Schema.of(Boxed.class), "'balance'", "java.lang.Long", "long");
        refused(() -> Schema.of(Many.class), "'names'", "java.util.List");
        refused(() -> Schema.of(Longs.class), "'balances'", "long[]");
        refused(() -> Schema.of(Generic.class), "'thing'", "java.lang.Object");
    }

    @Test
    void lengthsAreNeededWhereTheyMatterAndNowhereElse() {
        record NoLength(@Key long id, String owner) {}
        record NoBytesLength(@Key long id, byte[] owner) {}
        record ZeroLength(@Key long id, @Length(0) String owner) {}
        record HugeLength(@Key long id, @Length(4097) String owner) {}
        record LengthOnLong(@Key long id, @Length(8) long balance) {}
        record TooLarge(@Key long id, @Length(4096) String owner, boolean flag) {}

        refused(() -> Schema.of(NoLength.class), "'owner'", "NoLength", "@Length", "String");
        refused(() -> Schema.of(NoBytesLength.class), "'owner'", "@Length", "byte[]");
        refused(() -> Schema.of(ZeroLength.class), "'owner'", "@Length(0)", "4096");
        refused(() -> Schema.of(HugeLength.class), "'owner'", "@Length(4097)", "4096");
        refused(() -> Schema.of(LengthOnLong.class), "'balance'", "@Length", "long", "8 bytes");
        refused(() -> Schema.of(TooLarge.class), "'tooLarge'", "4097 bytes");
    }
}
