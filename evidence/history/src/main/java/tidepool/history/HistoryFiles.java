package tidepool.history;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges the files of several recorders into one, in the order of the events' indices. Lines are not changed; the one
 * that says that there are range reads comes first. A last
 * line that is cut off, as a killed process leaves it, is left out. A transaction that has no end gets one:
 * {@code info}, after all other events. Otherwise other checkers would ignore an invocation without an end, and would
 * then find its writes in other transactions' reads as writes of no transaction.
 */
public final class HistoryFiles {
    private static final byte[] INDEX = "{\"index\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TIME = ",\"time\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PROCESS = ",\"process\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TYPE = ",\"type\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final String INVOKED = "invoke\"";

    private final List<MemorySegment> files = new ArrayList<>();
    private final Events events = new Events();
    private final IntColumn fileOf = new IntColumn();
    private final LongColumn starts = new LongColumn();
    private final IntColumn lengths = new IntColumn();
    private byte[] buffer = new byte[1024];
    private final long[] counts = new long[4];

    /** The invocations without an end: the line of each, by process. */
    private final Map<Long, Integer> open = new LinkedHashMap<>();

    private boolean hasRanges;
    private long lastIndex;
    private long lastTime;

    /**
     * Counts of a file.
     *
     * @param unknown transactions that ended with an unknown outcome, or did not end at all; each has an {@code info}
     *     line in the file
     */
    public record Summary(long transactions, long ok, long failed, long unknown, long bytes) {}

    private HistoryFiles() {}

    /** Writes the target anew. The sources must be files of {@link HistoryRecorder}, unchanged. */
    public static Summary merge(List<Path> sources, Path target) throws IOException {
        try (Arena arena = Arena.ofShared()) {
            HistoryFiles all = new HistoryFiles();
            for (Path source : sources) all.read(source, arena);
            long bytes = all.write(target);
            long invoked = all.counts[EventParser.INVOKE];
            long ok = all.counts[EventParser.OK];
            long failed = all.counts[EventParser.FAIL];
            return new Summary(invoked, ok, failed, invoked - ok - failed, bytes);
        }
    }

    private void read(Path source, Arena arena) throws IOException {
        MemorySegment file;
        try (FileChannel channel = FileChannel.open(source, StandardOpenOption.READ)) {
            file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
        files.add(file);
        Line line = new Line(source, file);
        long first = startOfEvents(file);
        line.end = first;
        for (long at = first; at < file.byteSize(); at++)
            if (file.get(ValueLayout.JAVA_BYTE, at) == '\n') take(line.upTo(at + 1));
    }

    /** Returns where the events of a file begin: some files say before that that they have range reads. */
    private long startOfEvents(MemorySegment file) {
        MemorySegment format = MemorySegment.ofArray(HistoryLines.format());
        long mismatch = file.mismatch(format);
        boolean isThere = mismatch == -1 || mismatch == format.byteSize();
        hasRanges |= isThere;
        return isThere ? format.byteSize() : 0;
    }

    private void take(Line line) {
        counts[line.type]++;
        lastIndex = Math.max(lastIndex, line.index);
        lastTime = Math.max(lastTime, line.time);
        // The lines of a process are in the order of its events, whatever their indices are.
        if (line.type == EventParser.INVOKE) open.put(line.process, events.count());
        else open.remove(line.process);
        events.add(line.index, line.process, line.type, 0, 0, 0);
        fileOf.add(files.size() - 1);
        starts.add(line.start);
        lengths.add((int) (line.end - line.start));
    }

    /** A line of a recorder: the fields before its value. */
    private static final class Line {
        private final Path source;
        private final MemorySegment file;
        private long at;
        long start;
        long end;
        long index;
        long time;
        long process;
        byte type;

        Line(Path source, MemorySegment file) {
            this.source = source;
            this.file = file;
        }

        /** Returns the line that ends at this offset; the next one begins where it ends. */
        Line upTo(long newEnd) throws IOException {
            start = end;
            end = newEnd;
            at = start;
            index = numberAfter(INDEX);
            time = numberAfter(TIME);
            process = numberAfter(PROCESS);
            skip(TYPE);
            type = switch (next()) {
                case 'o' -> EventParser.OK;
                case 'f' -> EventParser.FAIL;
                case 'i' -> next() == 'n' && next() == 'v' ? EventParser.INVOKE : EventParser.INFO;
                default -> throw unknown(source);
            };
            return this;
        }

        private byte next() throws IOException {
            if (at == end) throw unknown(source);
            return file.get(ValueLayout.JAVA_BYTE, at++);
        }

        private void skip(byte... name) throws IOException {
            for (byte expected : name) if (next() != expected) throw unknown(source);
        }

        private long numberAfter(byte... name) throws IOException {
            skip(name);
            boolean negative = file.get(ValueLayout.JAVA_BYTE, at) == '-';
            if (negative) at++;
            long number = 0;
            byte digit = next();
            for (; digit >= '0' && digit <= '9'; digit = next()) number = number * 10 + digit - '0';
            at--;
            return negative ? -number : number;
        }
    }

    private static IOException unknown(Path source) {
        return new IOException("not written by a recorder of ours: " + source);
    }

    private long write(Path target) throws IOException {
        long bytes = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target), 1 << 20)) {
            if (hasRanges) {
                out.write(HistoryLines.format());
                bytes += HistoryLines.format().length;
            }
            for (int line : events.inOrder()) {
                copy(line);
                out.write(buffer, 0, lengths.at(line));
                bytes += lengths.at(line);
            }
            for (int invocation : open.values()) {
                byte[] info = info(invocation);
                out.write(info);
                bytes += info.length;
            }
        }
        return bytes;
    }

    private void copy(int line) {
        int length = lengths.at(line);
        if (length > buffer.length) buffer = new byte[length * 2];
        MemorySegment.copy(files.get(fileOf.at(line)), ValueLayout.JAVA_BYTE, starts.at(line), buffer, 0, length);
    }

    /** Returns the end of a transaction of which only the invocation is known: it repeats the requested operations. */
    private byte[] info(int invocation) {
        copy(invocation);
        String text = new String(buffer, 0, lengths.at(invocation), StandardCharsets.US_ASCII);
        String asked = text.substring(text.indexOf(INVOKED) + INVOKED.length());
        String line = "{\"index\":" + ++lastIndex + ",\"time\":" + lastTime + ",\"process\":"
                + events.process(invocation) + ",\"type\":\"info\"" + asked;
        return line.getBytes(StandardCharsets.US_ASCII);
    }
}
