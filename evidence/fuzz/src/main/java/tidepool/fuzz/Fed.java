package tidepool.fuzz;

/**
 * Entry point for inputs of Jazzer. The property {@code tidepool.fuzz.target} names the target. Without it, the first
 * byte of each input chooses one, so that one short run covers all of them.
 */
public final class Fed {
    private static final String NAME = System.getProperty("tidepool.fuzz.target", "");
    private static final FuzzTarget[] TARGETS = NAME.isEmpty()
            ? FuzzTargets.names().stream().map(FuzzTargets::make).toArray(FuzzTarget[]::new)
            : new FuzzTarget[] {FuzzTargets.make(NAME)};

    private Fed() {}

    /** Jazzer looks for a method of this name. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (TARGETS.length == 1) {
            TARGETS[0].feed(input);
            return;
        }
        Bytes bytes = new Bytes(input);
        TARGETS[bytes.u8() % TARGETS.length].feed(bytes.rest());
    }
}
