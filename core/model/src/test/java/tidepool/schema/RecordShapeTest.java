package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
        record Other(@Key long id, Thread thread) {}
        record Key300(@Key @Length(300) String name, long x) {}
        record Lists(@Key long id, @Length(2) List<List<Long>> lists) {}
        record Raw(@Key long id, @Length(2) List<?> things) {}
        record Generic<T>(@Key long id, T thing) {}
        record Loop(@Key long id, @Length(3) List<Loop> more) {}

        refused(() -> Schema.of(Other.class), "'thread'", "Other", "java.lang.Thread", "a value holds");
        refused(() -> Schema.of(Key300.class), "'name'", "String and byte[] with @Length");
        refused(() -> Schema.of(Lists.class), "'lists'", "list of lists", "record between them");
        refused(() -> Schema.of(Raw.class), "'things'", "a value holds");
        refused(() -> Schema.of(Generic.class), "'thing'", "of type T", "a value holds");
        refused(() -> Schema.of(Loop.class), "'more'", "contains itself");
    }

    @Test
    void lengthsAreNeededWhereTheyMatterAndNowhereElse() {
        record ZeroLength(@Key long id, @Length(0) String owner) {}
        record HugeLength(@Key long id, @Length(1_048_577) String owner) {}
        record HugeBytes(
                @Key long id,
                @Length(value = 1_048_577, varying = true) byte[] owner) {}
        record ExactBytes(@Key long id, @Length(4097) byte[] owner) {}
        record LengthOnLong(@Key long id, @Length(8) long balance) {}
        record TooLarge(@Key long id, @Length(4096) byte[] owner, boolean flag) {}

        refused(() -> Schema.of(ZeroLength.class), "'owner'", "@Length(0)", "1048576");
        refused(() -> Schema.of(HugeLength.class), "'owner'", "@Length(1048577)", "1048576");
        refused(() -> Schema.of(HugeBytes.class), "'owner'", "@Length(1048577)", "1048576");
        refused(() -> Schema.of(ExactBytes.class), "'owner'", "@Length(4097)", "exactly", "4096", "varying = true");
        refused(() -> Schema.of(LengthOnLong.class), "'balance'", "@Length", "long", "8 bytes");
        refused(() -> Schema.of(TooLarge.class), "'tooLarge'", "4097 bytes");
    }

    @Test
    void annotationsThatDoNotFitAreRefused() {
        record NullPrimitive(@Key long id, @Nullable int a) {}
        record NullOptional(@Key long id, @Nullable Optional<Long> a) {}
        record VaryingTime(
                @Key long id,
                @Length(value = 8, varying = true) Instant a) {}
        record LengthOnTime(@Key long id, @Length(8) Instant a) {}
        record LengthOnRecord(@Key long id, @Length(8) EveryType.Point a) {}
        record EachOfString(
                @Key long id, @Length(value = 8, each = 2) String a) {}
        record EachOfLongs(
                @Key long id, @Length(value = 3, each = 2) long[] a) {}
        record EachOfBoxed(
                @Key long id, @Length(value = 3, each = 2) List<Instant> a) {}
        record Digits(@Key long id, @Length(1001) BigDecimal a) {}
        record ManyElements(@Key long id, @Length(1_048_577) List<Long> a) {}
        record NoElements(@Key long id, @Length(0) List<Long> a) {}
        record RawOptional(@Key long id, Optional<?> a) {}

        refused(() -> Schema.of(NullPrimitive.class), "'a'", "@Nullable", "int");
        refused(() -> Schema.of(NullOptional.class), "'a'", "@Nullable", "Optional");
        refused(() -> Schema.of(VaryingTime.class), "'a'", "varying", "String and byte[]");
        refused(() -> Schema.of(LengthOnTime.class), "'a'", "an Instant always takes 12 bytes");
        refused(() -> Schema.of(LengthOnRecord.class), "'a'", "what its parts take");
        refused(() -> Schema.of(EachOfString.class), "'a'", "'each'", "elements of lists");
        refused(() -> Schema.of(EachOfLongs.class), "'a'", "more in its @Length");
        refused(() -> Schema.of(EachOfBoxed.class), "'a'", "an Instant always takes 12 bytes");
        refused(() -> Schema.of(Digits.class), "'a'", "@Length(1001)", "1 to 1000 digits");
        refused(() -> Schema.of(ManyElements.class), "'a'", "@Length(1048577)", "1 to 1048576 elements");
        refused(() -> Schema.of(NoElements.class), "'a'", "@Length(0)", "elements");
        refused(() -> Schema.of(RawOptional.class), "'a'", "a value holds");
    }

    @Test
    void enumsThatTheSchemaCannotNameAreRefused() {
        enum Foreign {
            GRÜN
        }
        enum None {}
        record AForeign(@Key long id, Foreign a) {}
        record ANone(@Key long id, None a) {}

        refused(() -> Schema.of(AForeign.class), "'GRÜN'", "ASCII");
        refused(() -> Schema.of(ANone.class), "at least one constant");
    }

    @Test
    void codecsThatDoNotFitAreRefused() {
        record OtherType(
                @Key long id,
                @Encoded(EveryType.TextCodec.class) String a) {}
        record AndLength(
                @Key long id,

                @Length(3) @Encoded(EveryType.TextCodec.class)
                StringBuilder a) {}
        record OfPrimitive(
                @Key long id,
                @Encoded(EveryType.TextCodec.class) int a) {}
        record BadName(
                @Key long id, @Encoded(NamedBadly.class) StringBuilder a) {}
        record Parameters(
                @Key long id, @Encoded(WithParameters.class) StringBuilder a) {}

        refused(() -> Schema.of(OtherType.class), "'a'", "java.lang.String", "encodes java.lang.StringBuilder");
        refused(() -> Schema.of(AndLength.class), "'a'", "@Encoded and a @Length");
        refused(() -> Schema.of(OfPrimitive.class), "'a'", "int", "encodes");
        refused(() -> Schema.of(BadName.class), "'a'", "NamedBadly", "'a b'");
        refused(() -> Schema.of(Parameters.class), "'a'", "WithParameters", "constructor without parameters");
    }

    private static class NamedBadly implements Codec<StringBuilder> {
        @Override
        public String name() {
            return "a b";
        }

        @Override
        public int maxBytes() {
            return 1;
        }

        @Override
        public int encode(StringBuilder value, MemorySegment memory, long at) {
            return 0;
        }

        @Override
        public StringBuilder decode(MemorySegment memory, long at, int bytes) {
            return new StringBuilder();
        }
    }

    private static final class WithParameters extends NamedBadly {
        @SuppressWarnings("unused")
        WithParameters(int maxBytes) {}
    }
}
