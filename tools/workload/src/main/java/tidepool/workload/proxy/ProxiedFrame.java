package tidepool.workload.proxy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import tidepool.fabric.VerbKind;
import tidepool.wire.Frame;
import tidepool.wire.VerbFormat;

/** A frame in transit, as {@code docs/internals/wire.md} describes it. The bytes are passed on unchanged. */
public final class ProxiedFrame {
    /** More than any node accepts; a longer frame is invalid. */
    private static final int MAX_BYTES = 64 << 20;

    private final Direction direction;
    private final byte[] array;
    private final ByteBuffer bytes;

    private ProxiedFrame(Direction direction, byte[] array) {
        this.direction = direction;
        this.array = array;
        this.bytes = ByteBuffer.wrap(array).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Waits for the next frame. Returns null if the stream ends before it. */
    static ProxiedFrame read(Direction direction, InputStream from) throws IOException {
        byte[] header = from.readNBytes(Frame.HEADER);
        if (header.length == 0) return null;
        if (header.length < Frame.HEADER) throw new EOFException("the stream ends within a header");
        int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(Frame.BYTES);
        if (length < Frame.HEADER || length > MAX_BYTES || length % Long.BYTES != 0)
            throw new IOException("no frame is " + length + " bytes long");
        byte[] all = new byte[length];
        System.arraycopy(header, 0, all, 0, header.length);
        if (from.readNBytes(all, Frame.HEADER, length - Frame.HEADER) < length - Frame.HEADER)
            throw new EOFException("the stream ends within a frame");
        return new ProxiedFrame(direction, all);
    }

    void write(OutputStream to) throws IOException {
        to.write(array);
    }

    public Direction direction() {
        return direction;
    }

    /** Returns one of the kinds of {@link Frame}. */
    public int kind() {
        return bytes.get(Frame.KIND);
    }

    public int count() {
        return Short.toUnsignedInt(bytes.getShort(Frame.COUNT));
    }

    public int link() {
        return bytes.getInt(Frame.LINK);
    }

    public int sequence() {
        return bytes.getInt(Frame.SEQUENCE);
    }

    public int length() {
        return bytes.capacity();
    }

    /** Returns whether this is the answer to that round. */
    boolean answers(ProxiedFrame round) {
        return kind() == Frame.ANSWER && link() == round.link() && sequence() == round.sequence();
    }

    /** Returns a word of the body of a CONTROL. */
    long word(int index) {
        return bytes.getLong(Frame.HEADER + index * Long.BYTES);
    }

    /** Returns a copy of the frame with other words in its body. */
    ProxiedFrame withWords(long... words) {
        ProxiedFrame changed = new ProxiedFrame(direction, array.clone());
        for (int i = 0; i < words.length; i++) changed.bytes.putLong(Frame.HEADER + i * Long.BYTES, words[i]);
        return changed;
    }

    /** Returns the kinds of verbs of a ROUND; none for other frames. */
    public Set<VerbKind> verbs() {
        Set<VerbKind> found = EnumSet.noneOf(VerbKind.class);
        if (kind() != Frame.ROUND) return found;
        int at = Frame.HEADER;
        for (int i = 0; i < count(); i++) {
            int code = bytes.get(at);
            found.add(VerbKind.of(VerbFormat.ordinalOf(code)));
            at += verbBytes(code, at);
        }
        return found;
    }

    /** Returns whether a ROUND changes memory at the node. */
    public boolean changesMemory() {
        Set<VerbKind> verbs = verbs();
        verbs.removeAll(EnumSet.of(VerbKind.READ, VerbKind.FLUSH));
        return !verbs.isEmpty();
    }

    /** Returns the bytes of the verb at this place of the frame. */
    private int verbBytes(int code, int at) {
        int lengthAt = VerbFormat.bodyLengthAt(code);
        int body = lengthAt == VerbFormat.NO_BODY ? 0 : (int) Frame.padded(bytes.getLong(at + lengthAt));
        return VerbFormat.requestBytes(code) + body;
    }

    @Override
    public String toString() {
        return direction + " kind=" + kind() + " count=" + count() + " link=" + link() + " sequence=" + sequence()
                + " bytes=" + length() + (kind() == Frame.ROUND ? " " + verbs() : "");
    }
}
