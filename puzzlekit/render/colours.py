"""The colours that tell regions apart: twelve pale ones of ColorBrewer's Set3, on which black can be read."""

REGIONS = (
    *("#8dd3c7", "#ffffb3", "#bebada", "#fb8072", "#80b1d3", "#fdb462"),
    *("#b3de69", "#fccde5", "#d9d9d9", "#bc80bd", "#ccebc5", "#ffed6f"),
)
