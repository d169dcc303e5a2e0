package tidepool.lab;

/**
 * A number of the paper and ours.
 *
 * @param figure of the paper
 * @param series the compared quantity
 * @param paper its number
 * @param ours the number of the simulator
 */
public record PaperComparison(String figure, String series, double paper, double ours) {
    /** Returns the part of the paper's number by which ours is larger; negative if it is smaller. */
    public double difference() {
        return paper == 0 ? 0 : ours / paper - 1;
    }

    /** Returns whether both numbers rank the two systems equally. If the paper calls them equal, any number does. */
    public boolean sameRanking() {
        return paper == 1 || Math.signum(paper - 1) == Math.signum(ours - 1);
    }
}
