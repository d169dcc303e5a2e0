package tidepool.contracts;

/** Rethrows the exception of a strand or thread unchanged: a failed assertion must stay an assertion error. */
final class Sneaky {
    private Sneaky() {}

    /** Never returns; declared so that callers can write {@code throw}. */
    static RuntimeException again(Throwable cause) {
        return Sneaky.<RuntimeException>as(cause);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> RuntimeException as(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
