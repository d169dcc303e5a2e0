package tidepool.history;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes large, strictly serializable histories of rows, as {@code bench rows} records them. */
final class RowsMaker {
    private static final int PROCESSES = 30;
    private static final int OPERATIONS = 4;
    private static final int ROWS_PER_BUCKET = 4;

    private final Random random = new Random(7);
    private final Map<Long, Long> rows = new HashMap<>();
    private final Map<Long, Long> before = new HashMap<>();
    private final Map<Long, Long> heads = new HashMap<>();
    private final int keys;
    private final int stale;

    /** @param stale every n-th look is at a row as it was before its last change; 0 for none */
    RowsMaker(int keys, int stale) {
        this.keys = keys;
        this.stale = stale;
    }

    void make(Path file, int transactions) throws IOException {
        ArrayDeque<Long> open = new ArrayDeque<>();
        long index = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            for (int t = 0; t < transactions; t++) {
                if (open.size() == PROCESSES)
                    out.write(HistoryLines.event(index, index++ * 1000, open.removeFirst(), "ok"));
                long process = t % PROCESSES;
                // As long as real ids are: a session above forty bits of counter.
                long id = (process + 1 << 40) + t;
                out.write(HistoryLines.event(index, index++ * 1000, process, "invoke", transaction(id)));
                open.add(process);
            }
            for (long process : open) out.write(HistoryLines.event(index, index++ * 1000, process, "ok"));
        }
    }

    private List<MicroOp> transaction(long id) {
        List<MicroOp> looks = new ArrayList<>();
        List<MicroOp> changes = new ArrayList<>();
        Map<Long, Long> headsBefore = new HashMap<>();
        for (int i = 0; i < OPERATIONS; i++) {
            long key = random.nextInt(keys);
            if (rows.getOrDefault(key, 0L) == id || headsBefore.containsKey(key / ROWS_PER_BUCKET)) continue;
            operation(id, key, looks, changes, headsBefore);
        }
        looks.addAll(changes);
        return looks;
    }

    private void operation(long id, long key, List<MicroOp> looks, List<MicroOp> changes, Map<Long, Long> headsBefore) {
        long bucket = key / ROWS_PER_BUCKET;
        long head = heads.getOrDefault(bucket, MicroOp.NEVER);
        Long row = rows.get(key);
        int kind = random.nextInt(4);
        if (kind < 2) {
            Long seen = stale > 0 && random.nextInt(stale) == 0 ? before.getOrDefault(key, row) : row;
            looks.add(seen == null ? new MicroOp.NotFound(key, bucket, head) : MicroOp.readVersion(key, seen));
        } else if (row == null) {
            changes.add(new MicroOp.Insert(key, id, bucket, head));
            rows.put(key, id);
            headsBefore.put(bucket, heads.put(bucket, id));
        } else if (kind == 2) {
            changes.add(MicroOp.write(key, id, row));
            before.put(key, rows.put(key, id));
        } else {
            changes.add(new MicroOp.Remove(key, id, row, bucket, head));
            before.put(key, rows.remove(key));
            headsBefore.put(bucket, heads.put(bucket, id));
        }
    }
}
