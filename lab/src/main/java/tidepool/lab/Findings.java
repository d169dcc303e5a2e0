package tidepool.lab;

import java.util.List;

/**
 * What came of a figure.
 *
 * @param figure its name
 * @param title what it shows
 * @param comparisons the paper's numbers beside ours
 * @param plots its pictures
 * @param results everything that was measured
 * @param notes what a reader has to know
 */
public record Findings(
        String figure,
        String title,
        List<Comparison> comparisons,
        List<Plot> plots,
        Results results,
        List<String> notes) {}
