package tidepool.dist;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/**
 * A writer of compressed tar archives whose bytes depend on paths, contents and permissions alone: one time for all
 * entries, owner and group 0, no names of users, no time in the header of gzip. The format is ustar (POSIX.1-1988).
 *
 * <pre>
 *    0  name       100     156  type, 0 for a file      1
 *  100  mode         8     157  link                  100
 *  108  owner        8     257  "ustar" and 0           6
 *  116  group        8     263  version "00"            2
 *  124  size        12     265  names of users,
 *  136  time        12          devices, prefix: zeros
 *  148  checksum     8     512  contents, in blocks of 512
 * </pre>
 */
final class TarGzWriter implements Closeable {
    private static final int BLOCK = 512;
    private static final int MAX_NAME = 100;
    private static final int CHECKSUM = 148;

    private final OutputStream out;
    private final Instant time;

    TarGzWriter(OutputStream file, Instant time) throws IOException {
        this.out = new GZIPOutputStream(file, 1 << 16);
        this.time = time;
    }

    void add(String path, byte[] contents, int mode) throws IOException {
        out.write(header(path, contents.length, mode));
        out.write(contents);
        out.write(new byte[(BLOCK - contents.length % BLOCK) % BLOCK]);
    }

    private byte[] header(String path, int size, int mode) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        if (name.length > MAX_NAME)
            throw new IllegalArgumentException("longer than " + MAX_NAME + " bytes for an archive: " + path);
        byte[] header = new byte[BLOCK];
        System.arraycopy(name, 0, header, 0, name.length);
        octal(header, 100, 8, mode);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        octal(header, 124, 12, size);
        octal(header, 136, 12, time.getEpochSecond());
        header[156] = '0';
        text(header, 257, "ustar\0" + "00");
        // The checksum is the sum of all bytes, with blanks in its own place.
        Arrays.fill(header, CHECKSUM, CHECKSUM + 8, (byte) ' ');
        int sum = 0;
        for (byte each : header) sum += each & 0xff;
        octal(header, CHECKSUM, 7, sum);
        return header;
    }

    /** Writes digits that fill the field up to a final 0. */
    private static void octal(byte[] header, int at, int bytes, long value) {
        String digits = Long.toOctalString(value);
        text(header, at, "0".repeat(bytes - 1 - digits.length()) + digits + "\0");
    }

    private static void text(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    /** Writes the end of the archive: two blocks of zeros. */
    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.close();
    }
}
