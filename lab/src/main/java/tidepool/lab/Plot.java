package tidepool.lab;

import java.util.List;

/**
 * A picture of a figure.
 *
 * @param name of its file
 * @param title above it
 * @param xLabel below it
 * @param yLabel beside it
 * @param lines in it
 */
record Plot(String name, String title, String xLabel, String yLabel, List<Line> lines) {
    /** A line of it, in the order in which its points are joined. */
    record Line(String name, double[] x, double[] y) {}
}
