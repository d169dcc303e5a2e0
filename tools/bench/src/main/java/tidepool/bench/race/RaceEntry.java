package tidepool.bench.race;

/**
 * A contender of a race: one of our protocols on a fabric, or a foreign store.
 *
 * @param isOurs which of the two
 * @param name of the protocol, with its switches: {@code ford?reads=backup}; or of the peer
 * @param fabric of ours; empty for foreign stores
 */
public record RaceEntry(boolean isOurs, String name, String fabric) {
    public static RaceEntry ours(String protocol, String fabric) {
        return new RaceEntry(true, protocol, fabric);
    }

    public static RaceEntry peer(String name) {
        return new RaceEntry(false, name, "");
    }

    /** Returns the name in reports: {@code ford/shm}, {@code rocksdb}. */
    public String label() {
        return isOurs ? name + "/" + fabric : name;
    }

    /** Returns the text that is passed between processes. */
    String text() {
        return (isOurs ? "ours:" + fabric : "peer") + ":" + name;
    }

    static RaceEntry parse(String text) {
        String[] parts = text.split(":", 3);
        return parts[0].equals("ours") ? ours(parts[2], parts[1]) : peer(text.substring("peer:".length()));
    }
}
