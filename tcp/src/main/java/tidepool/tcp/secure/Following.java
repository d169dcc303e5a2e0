package tidepool.tcp.secure;

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
 * Something made from files, made anew when one of them has changed. The files are looked at when somebody asks, at most
 * once a second. A new version that is wrong is logged once and not used: the old one stays.
 */
final class Following<T> {
    private static final System.Logger LOG = System.getLogger("tidepool");
    private static final long BETWEEN_LOOKS = TimeUnit.SECONDS.toNanos(1);

    private record Made<T>(T value, long generation) {}

    private final List<Path> files;
    private final Supplier<T> maker;
    private final Clock clock;
    private final AtomicLong nextLook;
    private String seen; // guarded by this
    private volatile Made<T> made;

    /** Makes the first one, and lets through what is wrong with it. */
    Following(List<Path> files, Supplier<T> maker, Clock clock) {
        this.files = List.copyOf(files);
        this.maker = maker;
        this.clock = clock;
        seen = look();
        made = new Made<>(maker.get(), 1);
        nextLook = new AtomicLong(clock.nowNanos() + BETWEEN_LOOKS);
    }

    T value() {
        refresh();
        return made.value;
    }

    /** One more with each new version. */
    long generation() {
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
     * What would be different if a file were another one. A file that was changed within this very second may change once
     * more without a trace, as its time is coarse: then the look does not count as seen, and the next one differs.
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
