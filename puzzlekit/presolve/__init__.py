from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.presolve.bit_graph import (
        BitGraph as BitGraph,
        bit_positions as bit_positions,
        bits as bits,
        bits_of as bits_of,
        first as first,
    )
    from puzzlekit.presolve.circuit_graph import (
        CircuitGraph as CircuitGraph,
        graph_of_circuit as graph_of_circuit,
        with_degrees as with_degrees,
    )
    from puzzlekit.presolve.components import determined as determined, split as split
    from puzzlekit.presolve.derived_tables import has_optional_tables as has_optional_tables
    from puzzlekit.presolve.domains import (
        DomainStore as DomainStore,
        Inconsistent as Inconsistent,
        Propagator as Propagator,
        no_clock as no_clock,
    )
    from puzzlekit.presolve.normal_form import (
        Literal as Literal,
        linear_form as linear_form,
        literal_in as literal_in,
        literal_of as literal_of,
        normalise as normalise,
        numeric as numeric,
        opposite as opposite,
        substitute as substitute,
    )
    from puzzlekit.presolve.pipeline import (
        PresolveReport as PresolveReport,
        conjuncts as conjuncts,
        presolve as presolve,
        presolve_report as presolve_report,
    )
    from puzzlekit.presolve.propagators import (
        AllDifferentPropagator as AllDifferentPropagator,
        CardinalityPropagator as CardinalityPropagator,
        CheckedPropagator as CheckedPropagator,
        LinearPropagator as LinearPropagator,
    )
    from puzzlekit.presolve.region_sizes import (
        RegionSizesPropagator as RegionSizesPropagator,
        SizeCut as SizeCut,
        wrong_sizes as wrong_sizes,
    )
    from puzzlekit.presolve.shared import (
        Addition as Addition,
        BasePresolve as BasePresolve,
        NotReusable as NotReusable,
    )
    from puzzlekit.presolve.structure_propagators import (
        AcyclicPropagator as AcyclicPropagator,
        AutomatonPropagator as AutomatonPropagator,
        ConnectivityPropagator as ConnectivityPropagator,
        CutVertexPropagator as CutVertexPropagator,
        SubtourPropagator as SubtourPropagator,
        graph_of as graph_of,
        neighbours_of as neighbours_of,
        readings as readings,
    )
    from puzzlekit.presolve.tables import (
        RowBits as RowBits,
        TruthTable as TruthTable,
        fitted as fitted,
    )
    from puzzlekit.presolve.vector_eval import (
        Column as Column,
        ColumnEvaluator as ColumnEvaluator,
        coded as coded,
        column_of as column_of,
        every_combination as every_combination,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "bit_graph": ("BitGraph", "bit_positions", "bits", "bits_of", "first"),
            "circuit_graph": ("CircuitGraph", "graph_of_circuit", "with_degrees"),
            "components": ("determined", "split"),
            "derived_tables": ("has_optional_tables",),
            "domains": ("DomainStore", "Inconsistent", "Propagator", "no_clock"),
            "normal_form": (
                "Literal",
                "linear_form",
                "literal_in",
                "literal_of",
                "normalise",
                "numeric",
                "opposite",
                "substitute",
            ),
            "pipeline": ("PresolveReport", "conjuncts", "presolve", "presolve_report"),
            "propagators": (
                "AllDifferentPropagator",
                "CardinalityPropagator",
                "CheckedPropagator",
                "LinearPropagator",
            ),
            "region_sizes": ("RegionSizesPropagator", "SizeCut", "wrong_sizes"),
            "shared": ("Addition", "BasePresolve", "NotReusable"),
            "structure_propagators": (
                "AcyclicPropagator",
                "AutomatonPropagator",
                "ConnectivityPropagator",
                "CutVertexPropagator",
                "SubtourPropagator",
                "graph_of",
                "neighbours_of",
                "readings",
            ),
            "tables": ("RowBits", "TruthTable", "fitted"),
            "vector_eval": ("Column", "ColumnEvaluator", "coded", "column_of", "every_combination"),
        },
    )
