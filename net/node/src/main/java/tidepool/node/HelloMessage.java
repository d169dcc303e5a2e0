package tidepool.node;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tidepool.base.Id128;
import tidepool.base.Words;
import tidepool.wire.Frame;
import tidepool.wire.RefusedCode;

/**
 * The contents of a HELLO, the first frame of a client.
 *
 * <pre>
 *   16     24       28      32     36     40    56      88
 *   | magic| version| number| nodes| epoch| id  | nonce | length, client | length, pool | length, identity | zeros
 * </pre>
 */
final class HelloMessage {
    private static final int VERSION = Frame.HEADER + 8;
    private static final int NUMBER = Frame.HEADER + 12;
    private static final int NODES = Frame.HEADER + 16;
    private static final int EPOCH = Frame.HEADER + 20;
    private static final int ID = Frame.HEADER + 24;
    private static final int NONCE = Frame.HEADER + 40;
    private static final int NAMES = NONCE + Frame.NONCE_BYTES;

    private final int number;
    private final int nodes;
    private final int epoch;
    private final Id128 id;
    private final byte[] nonce;
    private final String client;
    private final String pool;
    private final String identity;

    private HelloMessage(MemorySegment frame, long at, String client, String pool, String identity) {
        this.number = frame.get(Words.U32, at + NUMBER);
        this.nodes = frame.get(Words.U32, at + NODES);
        this.epoch = frame.get(Words.U32, at + EPOCH);
        this.id = new Id128(Words.plain(frame, at + ID), Words.plain(frame, at + ID + Words.BYTES));
        this.nonce = frame.asSlice(at + NONCE, Frame.NONCE_BYTES).toArray(ValueLayout.JAVA_BYTE);
        this.client = client;
        this.pool = pool;
        this.identity = identity;
    }

    /** Reads a HELLO. The version is checked first, because all later fields may differ between versions. */
    static HelloMessage read(MemorySegment frame, long at, int bytes) throws ConnectionRefusedException {
        if (bytes < VERSION + 8 || Words.plain(frame, at + Frame.HEADER) != Frame.MAGIC)
            throw ConnectionRefusedException.malformed("not a HELLO of Tidepool");
        int version = frame.get(Words.U32, at + VERSION);
        if (version != Frame.VERSION)
            throw new ConnectionRefusedException(
                    RefusedCode.VERSION,
                    "the client speaks version " + Integer.toUnsignedString(version)
                            + " of the wire and this node version " + Frame.VERSION + ": upgrade the older one");
        if (bytes < NAMES + 8) throw ConnectionRefusedException.malformed("a HELLO that is cut");
        int epoch = frame.get(Words.U32, at + EPOCH);
        if (frame.get(Words.U32, at + NUMBER) < 0 || frame.get(Words.U32, at + NODES) < 0 || epoch < 0)
            throw ConnectionRefusedException.malformed("a HELLO with a negative number");
        int clientBytes = length(frame, at, NAMES, bytes, Frame.MAX_NAME_BYTES);
        int poolAt = NAMES + 2 + clientBytes;
        int poolBytes = length(frame, at, poolAt, bytes, Frame.MAX_NAME_BYTES);
        int identityAt = poolAt + 2 + poolBytes;
        int identityBytes = epoch == 0 ? 0 : length(frame, at, identityAt, bytes, Frame.MAX_IDENTITY_BYTES);
        if (epoch > 0 && identityBytes == 0)
            throw ConnectionRefusedException.malformed("a HELLO with a roster that means nobody");
        int end = epoch == 0 ? identityAt : identityAt + 2 + identityBytes;
        if (Frame.padded(end) != bytes)
            throw ConnectionRefusedException.malformed("a HELLO of another length than its names");
        for (int i = end; i < bytes; i++)
            if (frame.get(ValueLayout.JAVA_BYTE, at + i) != 0)
                throw ConnectionRefusedException.malformed("a HELLO with padding");
        return new HelloMessage(
                frame,
                at,
                name(frame, at + NAMES + 2, clientBytes),
                name(frame, at + poolAt + 2, poolBytes),
                epoch == 0 ? "" : name(frame, at + identityAt + 2, identityBytes));
    }

    private static int length(MemorySegment frame, long at, int offset, int bytes, int max)
            throws ConnectionRefusedException {
        if (offset + 2 > bytes) throw ConnectionRefusedException.malformed("a HELLO that is cut");
        int length = frame.get(ValueLayout.JAVA_BYTE, at + offset) & 0xff
                | (frame.get(ValueLayout.JAVA_BYTE, at + offset + 1) & 0xff) << 8;
        if (length > max || offset + 2 + length > bytes)
            throw ConnectionRefusedException.malformed("a HELLO with too long a name");
        return length;
    }

    private static String name(MemorySegment frame, long at, int length) throws ConnectionRefusedException {
        try {
            byte[] bytes = frame.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
            String name = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (name.chars().anyMatch(Character::isISOControl))
                throw ConnectionRefusedException.malformed("a name with control characters");
            return name;
        } catch (CharacterCodingException e) {
            throw ConnectionRefusedException.malformed("a name that is not UTF-8");
        }
    }

    int number() {
        return number;
    }

    int nodes() {
        return nodes;
    }

    /** Returns the epoch of the roster that the client knows; 0 if the pool has no roster. */
    int epoch() {
        return epoch;
    }

    /** Returns the identity of the node that the client expects; empty if the pool has no roster. */
    String identity() {
        return identity;
    }

    Id128 id() {
        return id;
    }

    boolean isAnyPool() {
        return id.high() == 0 && id.low() == 0;
    }

    byte[] nonce() {
        return nonce.clone();
    }

    String client() {
        return client;
    }

    String pool() {
        return pool;
    }
}
