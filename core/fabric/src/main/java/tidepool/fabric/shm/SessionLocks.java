package tidepool.fabric.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tidepool.base.Id128;
import tidepool.fabric.FabricException;

/**
 * The test whether a session lives: each session holds a kernel lock on a file of its own. The kernel releases it when
 * the process dies, in whatever way.
 *
 * <p><b>Why no verb is under way.</b> The kernel takes a process's memory away from each of its threads before it
 * closes the files ({@code do_exit}: {@code exit_mm}, then {@code exit_files}). So when the lock is free, the last
 * store of that process was made. A process that is stopped, swapped out or slow keeps its lock.
 *
 * <p><b>One channel per file and process.</b> These are POSIX record locks: closing <em>any</em> descriptor of the file
 * gives up all locks that the process has on it (fcntl(2)). So a lock file is opened once by the process that holds it,
 * and sessions of this process are looked up in a table of the whole process, never probed. Two copies of these classes
 * in one process (two class loaders) must not share a pool.
 *
 * <p>A file of another process is kept open while it is probed. A number is never reused, so the opened file stays the
 * right one, also when its name is removed.
 *
 * <p><b>Safe creation and removal of files.</b> A file is removed only by its owner, or under a lock on it. An owner
 * checks, after locking, whether its file still exists. A missing file belongs to a session that ended.
 */
final class SessionLocks {
    private static final int MAX_PROBED = 64;
    private static final Pattern NAME = Pattern.compile("([1-9][0-9]{0,6})\\.lock");

    /** Every session that this process holds, of every pool. Its monitor guards the map, and probes too. */
    private static final Map<Key, Held> HERE = new HashMap<>();

    private final Path directory;
    private final Object fileKey;
    private final Id128 pool;

    /** Lock files of other processes, kept open because they are probed often: guarded by {@link #HERE}. */
    private final Map<Integer, FileChannel> probed = new HashMap<>();

    /** Identifies a session of a pool under any path, and tells the pool from one that replaced it after removal. */
    private record Key(Object fileKey, Id128 pool, int session) {}

    private record Held(FileChannel channel, ShmFabric owner) {}

    SessionLocks(PoolDirectory pool) {
        this.directory = PoolDirectory.sessions(pool.path());
        this.fileKey = pool.fileKey();
        this.pool = pool.superblock().id();
    }

    /** Marks the session alive, for this fabric. Returns false if this number cannot be used; then take another. */
    boolean take(int session, ShmFabric owner) {
        synchronized (HERE) {
            try {
                FileChannel channel = PoolFiles.uninterrupted(() -> lockNew(file(session)));
                if (channel == null) return false;
                HERE.put(key(session), new Held(channel, owner));
                return true;
            } catch (IOException e) {
                throw FabricException.unavailable(
                        "a session cannot be marked alive (" + PoolFiles.cause(e) + "): " + file(session), e);
            }
        }
    }

    private static FileChannel lockNew(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            return null; // a number that was used before: the node's memory is older than its files
        }
        boolean held = false;
        try {
            // A process that sweeps may have found the file unlocked and be about to remove it, or have removed it.
            held = channel.tryLock() != null && Files.exists(file);
            return held ? channel : null;
        } finally {
            if (!held) {
                Files.deleteIfExists(file);
                channel.close();
            }
        }
    }

    /** Called when the session has ended by itself. */
    void release(int session) {
        synchronized (HERE) {
            Held held = HERE.remove(key(session));
            if (held == null) return;
            try {
                try {
                    Files.deleteIfExists(file(session));
                } finally {
                    held.channel().close();
                }
            } catch (IOException e) {
                // The lock is gone with its channel. The next process that opens the pool removes the file.
                System.getLogger(SessionLocks.class.getName())
                        .log(System.Logger.Level.WARNING, "a session's lock file stays: " + file(session), e);
            }
        }
    }

    /** Returns the fabric of this process that holds the session; null if none does. */
    ShmFabric ownerHere(int session) {
        synchronized (HERE) {
            Held held = HERE.get(key(session));
            return held == null ? null : held.owner();
        }
    }

    /**
     * Returns whether the session's process has died or the session has ended. Takes about two microseconds after the
     * first probe of a session.
     */
    boolean isDead(int session) {
        return asked(session, () -> isFree(session));
    }

    /** Removes the lock file of a session if it is dead. */
    void sweep(int session) {
        asked(session, () -> {
            forget(session);
            return sweep(file(session));
        });
    }

    /** Closes the lock files of other processes. */
    void close() {
        synchronized (HERE) {
            for (int session : List.copyOf(probed.keySet())) forget(session);
        }
    }

    /** Returns the sessions that have a lock file. */
    List<Integer> all() {
        List<Integer> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                var name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) found.add(Integer.parseInt(name.group(1)));
            }
        } catch (IOException e) {
            throw FabricException.unavailable(
                    "the sessions cannot be listed (" + PoolFiles.cause(e) + "): " + directory, e);
        }
        return found;
    }

    /** Runs a probe; returns false for a session of this process, which is never probed. */
    private boolean asked(int session, PoolFiles.Work<Boolean> work) {
        synchronized (HERE) {
            if (HERE.containsKey(key(session))) return false;
            try {
                return PoolFiles.uninterrupted(work);
            } catch (OverlappingFileLockException e) {
                return false; // held by this process after all
            } catch (IOException e) {
                throw FabricException.unavailable(
                        "it cannot be told whether session " + session + " lives (" + PoolFiles.cause(e) + "): "
                                + file(session),
                        e);
            }
        }
    }

    /**
     * Returns whether the lock is free. A shared lock conflicts with the exclusive lock of the owner, but not with
     * other probes.
     */
    private boolean isFree(int session) throws IOException {
        FileChannel channel = probed.get(session);
        if (channel == null || !channel.isOpen()) {
            if (probed.size() >= MAX_PROBED) close();
            try {
                channel = FileChannel.open(file(session), StandardOpenOption.READ);
            } catch (NoSuchFileException e) {
                return true;
            }
            probed.put(session, channel);
        }
        if (channel.tryLock(0, Long.MAX_VALUE, true) == null) return false;
        forget(session);
        return true;
    }

    /** Closes a probed file, which also gives up the shared lock. */
    private void forget(int session) {
        FileChannel channel = probed.remove(session);
        if (channel == null) return;
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing was written, so nothing is lost.
        }
    }

    private static boolean sweep(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            boolean dead = channel.tryLock(0, Long.MAX_VALUE, true) != null;
            if (dead) Files.deleteIfExists(file);
            return dead;
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    private Key key(int session) {
        return new Key(fileKey, pool, session);
    }

    private Path file(int session) {
        return directory.resolve(session + ".lock");
    }
}
