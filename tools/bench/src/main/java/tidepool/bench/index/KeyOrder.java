package tidepool.bench.index;

/** The order of the keys that are inserted. */
enum KeyOrder {
    /** Any key, as from a hash. */
    RANDOM("random"),
    /** The next number for whichever thread asks for one: all threads insert into the last leaf. */
    ASCENDING("ascending"),
    /** A table of half the rows, in which each transaction replaces a random row by a new one. */
    CHURNING("churning");

    private final String text;

    KeyOrder(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
