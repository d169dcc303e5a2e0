package tidepool.wire.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import tidepool.base.Clock;

/**
 * A value made from files, and made again when one of them has changed. The files are checked when the value is read,
 * at most once a second. If a new version is invalid, that is logged once and the old value stays.
 */
public final class ReloadingFile<T> {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(1);

    private record Made<T>(T value, long generation) {}

    private final List<Path> files;
    private final Supplier<T> maker;
    private final Clock clock;
    private final AtomicLong nextLook;
    private String seen; // guarded by this
    private volatile Made<T> made;

    /** Makes the first value. Exceptions of the maker are passed on. */
    public ReloadingFile(List<Path> files, Supplier<T> maker, Clock clock) {
        this.files = List.copyOf(files);
        this.maker = maker;
        this.clock = clock;
        seen = look();
        made = new Made<>(maker.get(), 1);
        nextLook = new AtomicLong(clock.nowNanos() + BETWEEN_LOOKS);
    }

    public T value() {
        refresh();
        return made.value;
    }

    /** Returns the generation of the value, which grows by one with each new version. */
    public long generation() {
        refresh();
        return made.generation;
    }

    private void refresh() {
        long now = clock.nowNanos();
        long due = nextLook.get();
        if (now < due || !nextLook.compareAndSet(due, now + BETWEEN_LOOKS)) return;
        makeAnew();
    }

    private synchronized void makeAnew() {
        String found = look();
        if (found.equals(seen)) return;
        seen = found;
        try {
            made = new Made<>(maker.get(), made.generation + 1);
            LOG.log(System.Logger.Level.INFO, "read again, because it has changed: {0}", files);
        } catch (CredentialsException e) {
            LOG.log(System.Logger.Level.ERROR, "the old version stays in force: {0}", e.getMessage());
        }
    }

    /**
     * Returns a text that differs if a file has changed. Modification times are coarse: a file that was changed within
     * the last second may change again with an equal time. The text then contains the current time, so that the next
     * check differs and reads the files again.
     */
    private String look() {
        StringBuilder text = new StringBuilder();
        long nowMillis = System.currentTimeMillis();
        for (Path file : files) {
            try {
                PosixFileAttributes now = Files.readAttributes(file, PosixFileAttributes.class);
                text.append(now.fileKey()).append(' ').append(now.size()).append(' ');
                text.append(now.lastModifiedTime()).append(' ').append(now.permissions());
                if (Math.abs(nowMillis - now.lastModifiedTime().toMillis()) < 1000)
                    text.append(" at ").append(nowMillis);
            } catch (IOException e) {
                text.append(e.getClass().getSimpleName());
            }
            text.append('\n');
        }
        return text.toString();
    }
}
