package tidepool.lab;

/**
 * A number of the paper beside ours.
 *
 * @param figure of the paper
 * @param series what is compared
 * @param paper its number
 * @param ours the same from the simulator
 */
public record Comparison(String figure, String series, double paper, double ours) {
    /** By which part of the paper's number ours is larger; negative if it is smaller. */
    public double difference() {
        return paper == 0 ? 0 : ours / paper - 1;
    }

    /** Whether both say the same about which of two is ahead; where the paper says that they are equal, nobody is. */
    public boolean sameRanking() {
        return paper == 1 || Math.signum(paper - 1) == Math.signum(ours - 1);
    }
}
