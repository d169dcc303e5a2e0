package tidepool.lab;

/** Why a form of a protocol that lives in the lab refuses to be recovered: it was made to be measured, and no pool takes it. */
final class OnlyForFigures {
    private OnlyForFigures() {}

    /** @param form what it is, as the subject of a sentence in the singular */
    static UnsupportedOperationException refused(String form) {
        return new UnsupportedOperationException(form + " is only for figures: nobody recovers what it leaves");
    }
}
