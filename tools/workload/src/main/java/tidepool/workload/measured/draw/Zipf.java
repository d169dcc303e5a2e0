package tidepool.workload.measured.draw;

import tidepool.base.Checks;
import tidepool.base.Randomness;

/**
 * Draws from 0 to n - 1. The number of rank k, that is k - 1, is drawn with a probability proportional to 1 / k^θ. Uses
 * rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to generate variates from monotone discrete
 * distributions", 1996): exact for every θ above 0, without a table or a sum over all n, and seldom more than one draw.
 *
 * <p>H is the integral of x^-θ. A point under the curve is drawn by its inverse and rounded to a rank; the few points
 * that lie beyond the bar of that rank are drawn again.
 */
public final class Zipf implements Draw {
    private final long count;
    private final double theta;
    private final double oneMinusTheta;
    private final double low;
    private final double high;
    private final double sure; // a point closer to its rank than this always lies in the bar

    /**
     * @param count n
     * @param theta θ, the exponent
     */
    public Zipf(long count, double theta) {
        Checks.argument(count >= 1, "something to choose from is needed");
        Checks.argument(theta > 0 && theta <= 100, "the exponent of a Zipf distribution lies above 0");
        this.count = count;
        this.theta = theta;
        this.oneMinusTheta = 1 - theta;
        this.low = integral(1.5) - 1;
        this.high = integral(count + 0.5);
        this.sure = 2 - inverse(integral(2.5) - bar(2));
    }

    @Override
    public long draw(Randomness random) {
        while (true) {
            double u = high + random.nextDouble() * (low - high);
            double x = inverse(u);
            long rank = Math.clamp((long) (x + 0.5), 1L, count);
            if (rank - x <= sure || u >= integral(rank + 0.5) - bar((double) rank)) return rank - 1;
        }
    }

    private double bar(double x) {
        return StrictMath.exp(-theta * StrictMath.log(x));
    }

    /** Returns (x^(1-θ) - 1) / (1-θ), and log x for θ = 1, where it would be 0 / 0. */
    private double integral(double x) {
        double log = StrictMath.log(x);
        double t = oneMinusTheta * log;
        return Math.abs(t) > 1e-8 ? StrictMath.expm1(t) / t * log : log * (1 + t / 2);
    }

    private double inverse(double u) {
        double t = Math.max(-1, u * oneMinusTheta);
        return StrictMath.exp(Math.abs(t) > 1e-8 ? StrictMath.log1p(t) / t * u : u * (1 - t / 2));
    }
}
