package tidepool.lab;

/**
 * The exception of lab protocols that refuse recovery: they exist for measurements, and no pool outside the lab accepts
 * them.
 */
final class OnlyForFigures {
    private OnlyForFigures() {}

    /** @param form the protocol, as the subject of a sentence in the singular */
    static UnsupportedOperationException refused(String form) {
        return new UnsupportedOperationException(form + " is only for figures: nobody recovers what it leaves");
    }
}
