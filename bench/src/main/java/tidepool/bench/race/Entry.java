package tidepool.bench.race;

/**
 * Who takes part: one of our protocols on a fabric, or a store of somebody else.
 *
 * @param isOurs which of the two
 * @param name of the protocol, with its switches: {@code ford?reads=backup}; or of the peer
 * @param fabric of ours; empty for others
 */
public record Entry(boolean isOurs, String name, String fabric) {
    public static Entry ours(String protocol, String fabric) {
        return new Entry(true, protocol, fabric);
    }

    public static Entry peer(String name) {
        return new Entry(false, name, "");
    }

    /** In reports: {@code ford/shm}, {@code rocksdb}. */
    public String label() {
        return isOurs ? name + "/" + fabric : name;
    }

    /** Between processes. */
    String text() {
        return (isOurs ? "ours:" + fabric : "peer") + ":" + name;
    }

    static Entry parse(String text) {
        String[] parts = text.split(":", 3);
        return parts[0].equals("ours") ? ours(parts[2], parts[1]) : peer(text.substring("peer:".length()));
    }
}
