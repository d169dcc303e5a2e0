package tidepool.check.history;

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
import java.util.List;

/**
 * Puts the files of several recorders together into one, in the order of the events' indices. Of lines nothing is changed;
 * a last line that is cut off, as a killed process leaves it, is left out.
 */
public final class HistoryFiles {
    private static final byte[] INDEX = "{\"index\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TYPE = "\"type\":\"".getBytes(StandardCharsets.US_ASCII);

    private final List<MemorySegment> files = new ArrayList<>();
    private final Events events = new Events();
    private final IntColumn fileOf = new IntColumn();
    private final LongColumn starts = new LongColumn();
    private final IntColumn lengths = new IntColumn();
    private final long[] counts = new long[4];

    /**
     * What a file holds.
     *
     * @param unknown those that ended so, or did not end at all
     */
    public record Summary(long transactions, long ok, long failed, long unknown, long bytes) {}

    private HistoryFiles() {}

    /** Writes the target anew. The sources must be as {@link HistoryRecorder} has written them. */
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
        long start = 0;
        for (long at = 0; at < file.byteSize(); at++) {
            if (file.get(ValueLayout.JAVA_BYTE, at) != '\n') continue;
            line(source, file, start, at + 1);
            start = at + 1;
        }
    }

    private void line(Path source, MemorySegment file, long start, long end) throws IOException {
        long at = start;
        for (byte expected : INDEX) if (file.get(ValueLayout.JAVA_BYTE, at++) != expected) throw unknown(source);
        long index = 0;
        for (byte digit = file.get(ValueLayout.JAVA_BYTE, at);
                digit >= '0' && digit <= '9';
                digit = file.get(ValueLayout.JAVA_BYTE, ++at)) index = index * 10 + digit - '0';
        byte type = type(source, file, at, end);
        counts[type]++;
        events.add(index, 0, type, 0, 0, 0);
        fileOf.add(files.size() - 1);
        starts.add(start);
        lengths.add((int) (end - start));
    }

    private static byte type(Path source, MemorySegment file, long from, long end) throws IOException {
        for (long at = from; at + TYPE.length + 2 < end; at++) {
            int same = 0;
            while (same < TYPE.length && file.get(ValueLayout.JAVA_BYTE, at + same) == TYPE[same]) same++;
            if (same < TYPE.length) continue;
            byte third = file.get(ValueLayout.JAVA_BYTE, at + same + 2);
            return switch (file.get(ValueLayout.JAVA_BYTE, at + same)) {
                case 'o' -> EventParser.OK;
                case 'f' -> EventParser.FAIL;
                default -> third == 'v' ? EventParser.INVOKE : EventParser.INFO;
            };
        }
        throw unknown(source);
    }

    private static IOException unknown(Path source) {
        return new IOException("not written by a recorder of ours: " + source);
    }

    private long write(Path target) throws IOException {
        long bytes = 0;
        byte[] buffer = new byte[1024];
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target), 1 << 20)) {
            for (int line : events.inOrder()) {
                int length = lengths.at(line);
                if (length > buffer.length) buffer = new byte[length * 2];
                MemorySegment file = files.get(fileOf.at(line));
                MemorySegment.copy(file, ValueLayout.JAVA_BYTE, starts.at(line), buffer, 0, length);
                out.write(buffer, 0, length);
                bytes += length;
            }
        }
        return bytes;
    }
}
