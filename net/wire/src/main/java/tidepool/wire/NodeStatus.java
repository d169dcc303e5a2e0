package tidepool.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import tidepool.memory.NodeLayout;

/**
 * The status of a node at one moment. Its text has one item per line, the kind of item first. A STATUS call returns
 * this text:
 *
 * <pre>
 *   name memory-1
 *   version 0.1.0
 *   wire 1
 *   address 127.0.0.1:7100
 *   uptime-millis 81234
 *   memory-used 12582912
 *   memory-limit 1073741824
 *   rate rounds 120345
 *   rate verbs 361035
 *   pool bank number 0 nodes 3 regions 2 bytes 11534336 epoch 1 sessions 2 suspects 0 numbers 7 slots 2 entries 2
 *   client teller address 127.0.0.1:51334 pool bank session 7 rounds 1200 verbs 3600 bytes-in 99000 bytes-out 81000
 *          idle-millis 0                                                    (all of a client is one line)
 *   count rounds 1200
 *   error 2026-11-15T14:02:11Z refused node=memory-1 from=...
 * </pre>
 *
 * @param pools one line each: name, then keys and values
 * @param clients one line for each authenticated connection
 * @param counts all counters of the node, and current values, by label
 * @param errors the last lines of the audit log, oldest first, each with its time
 */
public record NodeStatus(
        String name,
        String version,
        int wire,
        String address,
        long uptimeMillis,
        long memoryUsed,
        long memoryLimit,
        Map<String, Long> rates,
        List<Pool> pools,
        List<Client> clients,
        Map<String, Long> counts,
        List<String> errors) {

    /** The label of the percentage of used memory at which a node warns. */
    public static final String ALARM = "memory-alarm-percent-now";

    /** The label of the number of lives of a node with a journal. */
    public static final String LIFE = "journal-life-now";

    /** The label of the last block of the journal that was acknowledged. */
    public static final String BLOCK = "journal-block-now";

    /** The label of the number of pools whose copy on the node may be older than what the node has acknowledged. */
    public static final String DOUBTED = "doubted-pools-now";

    /** The label of the number of lines forced, if regions are files of persistent memory. */
    public static final String LINES = "lines-forced";

    /**
     * A pool of which this node is a memory node.
     *
     * @param numbers session numbers used, of those that the pool ever has
     * @param slots session slots taken
     * @param entries region entries that can take no other region
     */
    public record Pool(
            String name,
            long number,
            long nodes,
            long regions,
            long bytes,
            long epoch,
            long sessions,
            long suspects,
            long numbers,
            long slots,
            long entries) {
        /** Returns the finite resources of the pool at this node. */
        public List<Supply> supplies() {
            return List.of(
                    new Supply(name, "session numbers", numbers, NodeLayout.GIVEN_NUMBERS),
                    new Supply(name, "session slots", slots, NodeLayout.SESSIONS),
                    new Supply(name, "region entries", entries, NodeLayout.REGIONS));
        }
    }

    /** A finite resource, with the amount that is in use or used up. */
    public record Supply(String pool, String what, long used, long limit) {
        /** Returns whether at least {@link NodeStatus#SUPPLY_ALARM_PERCENT} percent are used. */
        public boolean isLow() {
            return used * 100 >= limit * SUPPLY_ALARM_PERCENT;
        }
    }

    /** The used percentage of a supply at which a node warns. */
    public static final int SUPPLY_ALARM_PERCENT = 90;

    /** Returns the supplies that are low. */
    public List<Supply> lowSupplies() {
        List<Supply> low = new ArrayList<>();
        for (Pool pool : pools) for (Supply supply : pool.supplies()) if (supply.isLow()) low.add(supply);
        return low;
    }

    /** A connection. Session 0 means no session, pool {@code -} means the node itself. */
    public record Client(
            String name,
            String address,
            String pool,
            long session,
            long rounds,
            long verbs,
            long bytesIn,
            long bytesOut,
            long idleMillis) {}

    /** Returns whether the used memory has reached the percentage at which the node warns. */
    public boolean isAlarmed() {
        long percent = counts.getOrDefault(ALARM, 0L);
        return percent > 0 && memoryUsed * 100.0 >= memoryLimit * (double) percent;
    }

    /** Returns whether the journal waits for space on the disk. */
    public boolean isDiskFull() {
        return counts.getOrDefault("disk-full-now", 0L) > 0;
    }

    /** Returns whether the node may hold a copy that is older than what it has acknowledged. */
    public boolean isDoubted() {
        return counts.getOrDefault(DOUBTED, 0L) > 0;
    }

    public String toText() {
        StringBuilder text = new StringBuilder(4096);
        line(text, "name", name);
        line(text, "version", version);
        line(text, "wire", wire);
        line(text, "address", address);
        line(text, "uptime-millis", uptimeMillis);
        line(text, "memory-used", memoryUsed);
        line(text, "memory-limit", memoryLimit);
        rates.forEach((label, value) -> line(text, "rate", label, value));
        for (Pool p : pools)
            line(
                    text,
                    "pool",
                    p.name,
                    "number",
                    p.number,
                    "nodes",
                    p.nodes,
                    "regions",
                    p.regions,
                    "bytes",
                    p.bytes,
                    "epoch",
                    p.epoch,
                    "sessions",
                    p.sessions,
                    "suspects",
                    p.suspects,
                    "numbers",
                    p.numbers,
                    "slots",
                    p.slots,
                    "entries",
                    p.entries);
        for (Client c : clients)
            line(
                    text,
                    "client",
                    c.name,
                    "address",
                    c.address,
                    "pool",
                    c.pool,
                    "session",
                    c.session,
                    "rounds",
                    c.rounds,
                    "verbs",
                    c.verbs,
                    "bytes-in",
                    c.bytesIn,
                    "bytes-out",
                    c.bytesOut,
                    "idle-millis",
                    c.idleMillis);
        counts.forEach((label, value) -> line(text, "count", label, value));
        for (String error : errors) line(text, "error", error);
        return text.toString();
    }

    private static void line(StringBuilder text, Object... words) {
        for (int i = 0; i < words.length; i++) text.append(i == 0 ? "" : " ").append(words[i]);
        text.append('\n');
    }

    /** Parses the text of {@link #toText}. Lines of unknown kinds are skipped. */
    public static NodeStatus parse(String text) {
        Map<String, String> single = new LinkedHashMap<>();
        Map<String, Long> rates = new LinkedHashMap<>();
        Map<String, Long> counts = new LinkedHashMap<>();
        List<Pool> pools = new ArrayList<>();
        List<Client> clients = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Words words = new Words(line);
            switch (words.first()) {
                case "rate" -> rates.put(words.word(1), words.number(2));
                case "count" -> counts.put(words.word(1), words.number(2));
                case "error" -> errors.add(line.substring("error ".length()));
                case "pool" ->
                    pools.add(new Pool(
                            words.word(1),
                            words.of("number"),
                            words.of("nodes"),
                            words.of("regions"),
                            words.of("bytes"),
                            words.of("epoch"),
                            words.of("sessions"),
                            words.of("suspects"),
                            words.of("numbers"),
                            words.of("slots"),
                            words.of("entries")));
                case "client" ->
                    clients.add(new Client(
                            words.word(1),
                            words.word(3),
                            words.word(5),
                            words.of("session"),
                            words.of("rounds"),
                            words.of("verbs"),
                            words.of("bytes-in"),
                            words.of("bytes-out"),
                            words.of("idle-millis")));
                default -> single.put(words.first(), words.word(1));
            }
        }
        return new NodeStatus(
                single.getOrDefault("name", "?"),
                single.getOrDefault("version", "?"),
                (int) number(single.get("wire")),
                single.getOrDefault("address", "?"),
                number(single.get("uptime-millis")),
                number(single.get("memory-used")),
                number(single.get("memory-limit")),
                rates,
                pools,
                clients,
                counts,
                errors);
    }

    /** Returns the count of this label, if there is one. */
    public OptionalLong count(String label) {
        Long value = counts.get(label);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static long number(String word) {
        try {
            return word == null ? 0 : Long.parseLong(word);
        } catch (NumberFormatException e) {
            return 0; // a node may send any text
        }
    }

    /** The words of a line. A missing word is empty, a missing number is 0. */
    private static final class Words {
        private final String[] words;

        Words(String line) {
            this.words = line.split(" ", -1);
        }

        String first() {
            return words[0];
        }

        String word(int index) {
            return index < words.length ? words[index] : "";
        }

        long number(int index) {
            return NodeStatus.number(word(index));
        }

        /** Returns the number that follows a key. */
        long of(String key) {
            for (int i = 2; i + 1 < words.length; i++) if (words[i].equals(key)) return number(i + 1);
            return 0;
        }
    }
}
