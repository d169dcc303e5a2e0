package tidepool.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static tidepool.schema.Refusals.refused;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tidepool.base.Words;

class RecordCodecTest {
    private static final long AT = 16;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(128, 8).fill((byte) 0x5a);

    @AfterEach
    void close() {
        arena.close();
    }

    private record Account(
            @Key long id, long balance, @Length(16) String owner) {}

    private record Pair(
            @Key int id,
            @Length(3) String first,
            int number,
            @Length(3) String second) {}

    private record Blob(@Length(4) byte[] code, @Key long id) {}

    @Test
    void recordComesBackAsItWas() {
        RecordCodec<Account> codec = RecordCodec.of(Account.class);
        Account account = new Account(17, -5, "Grüße 👋");
        codec.encode(account, memory, AT);

        assertEquals(account, codec.decode(17, memory, AT));
        assertEquals(17, codec.key(account));
        assertEquals(Account.class, codec.type());
        assertEquals(Schema.of(Account.class), codec.schema());
    }

    /** Other programs and older pools depend on every byte: little-endian, UTF-8, zeros after it. */
    @Test
    void bytesAreTheDocumentedOnes() {
        RecordCodec.of(Account.class).encode(new Account(1, 0x0102030405060708L, "aé"), memory, AT);

        byte[] expected = {8, 7, 6, 5, 4, 3, 2, 1, 'a', (byte) 0xc3, (byte) 0xa9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
        };
        assertArrayEquals(expected, memory.asSlice(AT, 24).toArray(ValueLayout.JAVA_BYTE));
    }

    /** Replicas are compared byte by byte, so padding is written too. The bytes around the value are not. */
    @Test
    void paddingIsZeroAndNeighboursStay() {
        RecordCodec<Pair> codec = RecordCodec.of(Pair.class); // 4 + 3 + 3 bytes, so 6 of padding
        codec.encode(new Pair(1, "abc", -1, "xyz"), memory, AT);

        assertEquals(16, codec.schema().length());
        for (long at = AT + 10; at < AT + 16; at++) assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, at));
        assertEquals(0x5a5a5a5a5a5a5a5aL, Words.plain(memory, AT - 8));
        assertEquals(0x5a5a5a5a5a5a5a5aL, Words.plain(memory, AT + 16));
    }

    /**
     * A transaction may catch the refusal and continue. Otherwise half a record in its write set would be committed.
     */
    @Test
    void refusedRecordChangesNoByte() {
        RecordCodec<Pair> codec = RecordCodec.of(Pair.class);
        byte[] before = memory.toArray(ValueLayout.JAVA_BYTE);

        refused(() -> codec.encode(new Pair(1, "abc", 7, null), memory, AT), "'second'", "null");
        refused(() -> codec.encode(new Pair(1, "abc", 7, "abcd"), memory, AT), "'second'", "at most 3", "not 4");
        refused(() -> codec.encode(new Pair(1, "éé", 7, "abc"), memory, AT), "'first'", "not 4");
        refused(() -> codec.encode(new Pair(1, "a", 7, "b\ud83d"), memory, AT), "'second'", "surrogate", "at 1");
        refused(() -> codec.encode(new Pair(1, "a", 7, "\udc4b\ud83d"), memory, AT), "'second'", "surrogate", "at 0");
        refused(() -> codec.encode(new Pair(1, "a", 7, "b\0"), memory, AT), "'second'", "U+0000", "at 1");
        refused(() -> codec.encode(null, memory, AT), "null", "'pair'");
        refused(() -> codec.key(null), "null", "'pair'");
        assertArrayEquals(before, memory.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void bytesNeedTheirExactLength() {
        RecordCodec<Blob> codec = RecordCodec.of(Blob.class);
        byte[] code = {1, 0, -1, 0};
        codec.encode(new Blob(code, 9), memory, AT);

        assertArrayEquals(code, codec.decode(9, memory, AT).code());
        refused(() -> codec.encode(new Blob(new byte[3], 9), memory, AT), "'code'", "exactly 4", "not 3");
        refused(() -> codec.encode(new Blob(new byte[5], 9), memory, AT), "'code'", "not 5");
        refused(() -> codec.encode(new Blob(null, 9), memory, AT), "'code'", "null");
    }

    @Test
    void intKeyKeepsItsSignAndRefusesLongerOnes() {
        RecordCodec<Pair> codec = RecordCodec.of(Pair.class);
        codec.encode(new Pair(-3, "", 0, ""), memory, AT);

        assertEquals(-3, codec.key(new Pair(-3, "", 0, "")));
        assertEquals(new Pair(-3, "", 0, ""), codec.decode(-3, memory, AT));
        refused(() -> codec.decode(1L << 31, memory, AT), "2147483648", "'id'");
    }

    /** One class serves several tables, but only with the attributes it has. */
    @Test
    void schemaMustBeTheOneOfTheClass() {
        Schema savings = Schema.parse("savings(balance:long, owner:string[16])");

        assertEquals("savings", RecordCodec.of(Account.class, savings).schema().name());
        refused(
                () -> RecordCodec.of(Account.class, Schema.parse("account(balance:long, owner:string[12])")),
                "attribute 1 is owner:string[12], not owner:string[16]");
        refused(() -> RecordCodec.of(Account.class, null), "schema");
        refused(() -> RecordCodec.of((Class<Account>) null), "null");
    }

    /** Otherwise bytes that are no UTF-8 would be decoded as question marks, and written as such. */
    @Test
    void damagedStringIsNotDecoded() {
        RecordCodec<Account> codec = RecordCodec.of(Account.class);
        codec.encode(new Account(1, 2, "abc"), memory, AT);
        memory.set(ValueLayout.JAVA_BYTE, AT + 8, (byte) 0xff);

        String said = assertThrows(IllegalStateException.class, () -> codec.decode(1, memory, AT))
                .getMessage();
        assertEquals("attribute 'owner' holds bytes that are not UTF-8: the value is damaged", said);
    }

    @Test
    void whatTheRecordsOwnCodeThrowsIsPassedOn() {
        record Positive(@Key long id, int amount) {
            Positive {
                if (amount < 0) throw new ArithmeticException("negative");
            }
        }
        RecordCodec<Positive> codec = RecordCodec.of(Positive.class);
        codec.encode(new Positive(1, 1), memory, AT);
        memory.fill((byte) -1);

        assertThrows(ArithmeticException.class, () -> codec.decode(1, memory, AT));
        assertThrows(IndexOutOfBoundsException.class, () -> codec.encode(new Positive(1, 1), memory, 128));
    }

    @Test
    void encodingAllocatesNothing() {
        RecordCodec<Account> codec = RecordCodec.of(Account.class);
        Account account = new Account(1, 2, "Grüße 👋");

        AllocatedBytes.none(() -> {
            codec.encode(account, memory, AT);
            Words.plain(memory, 0, codec.key(account));
        });
    }

    /** 24 bytes: header, key, amount. Nothing is boxed. */
    @Test
    void decodingAllocatesTheRecordOnly() {
        record Amount(@Key long id, int amount) {}
        RecordCodec<Amount> codec = RecordCodec.of(Amount.class);
        codec.encode(new Amount(1, 2), memory, AT);
        Amount[] last = new Amount[1];

        AllocatedBytes.atMost(32, () -> last[0] = codec.decode(1, memory, AT));
        assertEquals(new Amount(1, 2), last[0]);
    }

    /** A byte array on the heap is not aligned. It is refused as a whole, and not in the middle of a record. */
    @Test
    void heapMemoryIsRefused() {
        MemorySegment heap = MemorySegment.ofArray(new byte[64]);

        assertThrows(IllegalArgumentException.class, () -> RecordCodec.of(Account.class)
                .encode(new Account(1, 2, "x"), heap, 0));
        assertEquals(0, Arrays.hashCode(heap.toArray(ValueLayout.JAVA_BYTE)) - Arrays.hashCode(new byte[64]));
    }
}
