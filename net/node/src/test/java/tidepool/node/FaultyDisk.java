package tidepool.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import tidepool.node.journal.DiskFullException;
import tidepool.node.journal.JournalDisk;
import tidepool.node.journal.SystemDisk;

/** A real folder with faults of the disk: it can be full, fail to force, and write only a few bytes at a time. */
final class FaultyDisk implements JournalDisk {
    private final JournalDisk disk;
    volatile boolean isFull;
    volatile boolean forceFails;
    /** Every force waits for this latch. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    volatile int maxAtOnce = Integer.MAX_VALUE;

    FaultyDisk(Path folder) {
        this.disk = new SystemDisk(folder);
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public File create(String name) throws IOException {
        return new Faulty(disk.create(name));
    }

    @Override
    public File open(String name) throws IOException {
        return new Faulty(disk.open(name));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public void forceNames() throws IOException {
        disk.forceNames();
    }

    @Override
    public long stamp(String name) throws IOException {
        return disk.stamp(name);
    }

    @Override
    public String path(String name) {
        return disk.path(name);
    }

    private final class Faulty implements File {
        private final File file;

        Faulty(File file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer from, long at) throws IOException {
            ByteBuffer some = some(from);
            int written = file.write(some, at);
            from.position(from.position() + written);
            return written;
        }

        @Override
        public int writeForced(ByteBuffer from, long at) throws IOException {
            ByteBuffer some = some(from);
            if (forceFails) throw new IOException("Input/output error");
            pass();
            int written = file.writeForced(some, at);
            from.position(from.position() + written);
            return written;
        }

        private ByteBuffer some(ByteBuffer from) throws DiskFullException {
            if (isFull) throw new DiskFullException("No space left on device", null);
            return from.slice(from.position(), Math.min(from.remaining(), maxAtOnce));
        }

        @Override
        public int read(ByteBuffer to, long at) throws IOException {
            return file.read(to, at);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void force() throws IOException {
            if (forceFails) throw new IOException("Input/output error");
            pass();
            file.force();
        }

        private void pass() throws IOException {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
